"""A Python REPL as a scene: scene numbers --env PYTHONSTARTUP="$(scenectl integration python)" -- python3

Kill Python with kill -9 and run it again: it returns with its directory, its history and the
variables that pickle can store."""
import os, pickle, readline, sys

class ScenePrompt:
    """Python converts the prompt to text before each line. That is the time to save."""
    file = os.environ.get("SCENE_DATA", ".") + "/python_"
    away = {}  # A directory that is away stays stored until the next chdir.
    def __str__(self):
        readline.write_history_file(self.file + "history")
        kept = {"": self.away.get(os.getcwd(), os.getcwd())}
        for name, value in list(vars(sys.modules["__main__"]).items()):
            try: kept[name] = pickle.dumps(value)
            except Exception: pass  # Modules and open files have no pickled form.
        with open(self.file + "new", "wb") as file: pickle.dump(kept, file)
        os.replace(self.file + "new", self.file + "variables")
        return ">>> "

if "SCENE_DATA" in os.environ:
    sys.ps1 = ScenePrompt()
    if os.path.exists(ScenePrompt.file + "variables"):
        readline.read_history_file(ScenePrompt.file + "history")
        for name, value in pickle.load(open(ScenePrompt.file + "variables", "rb")).items():
            try: globals()[name] = pickle.loads(value) if name else os.chdir(value)
            except Exception as error:
                print(name or value, "is not restored:", error)
                if not name: ScenePrompt.away[os.getcwd()] = value
        globals().pop("", None)
