// A program that imports this module needs no second import.
@_exported public import SceneClient
