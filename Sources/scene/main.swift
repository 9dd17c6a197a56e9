print("scene")
