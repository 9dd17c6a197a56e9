// A scene in Go. After kill -9, the next run continues at the saved line.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"os"
)
type object = map[string]any
type activity struct {
	ActivityType string         `json:"activityType"`
	UserInfo     map[string]int `json:"userInfo"`
}
type message struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Session      string
		SceneSession struct{ StateRestorationActivity activity }
	}
	Error *struct{ Message string }
}

func main() {
	path := os.Getenv("SCENE_SOCKET")
	if path == "" {
		path = os.Getenv("XDG_RUNTIME_DIR") + "/scened/default.sock"
	}
	broker, failure := net.Dial("unix", path)
	if failure != nil {
		log.Fatalln("no broker listens at", path)
	}
	send := func(content object) {
		content["jsonrpc"] = "2.0"
		text, _ := json.Marshal(content)
		broker.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...))
	}
	note := activity{"com.example.note", map[string]int{"line": 0}}
	hello, scene := object{"protocol": object{"min": 1, "max": 1}, "client": object{"name": "scene.go"}}, object{}
	if len(os.Args) > 1 {
		scene["name"] = os.Args[1]
	}
	send(object{"id": "hello", "method": "initialize", "params": hello})
	send(object{"id": "scene", "method": "scene/connect", "params": scene})
	var length uint32
	for binary.Read(broker, binary.BigEndian, &length) == nil {
		var m message
		json.NewDecoder(io.LimitReader(broker, int64(length))).Decode(&m)
		reply := object{"id": m.ID, "result": object{}}
		switch m.Method {
		case "scene/willConnect":
			note.UserInfo["line"] = m.Params.SceneSession.StateRestorationActivity.UserInfo["line"]
		case "scene/didBecomeActive":
			note.UserInfo["line"]++
			save := object{"session": m.Params.Session, "activity": note}
			send(object{"id": "save", "method": "session/saveActivity", "params": save})
		case "scene/stateRestorationActivity":
			reply["result"] = object{"activity": note}
		case "scene/willEnterForeground", "scene/willResignActive", "scene/didEnterBackground", "scene/ping":
		case "scene/didDisconnect":
		default:
			reply = object{"id": m.ID, "error": object{"code": -32601, "message": "no method " + m.Method}}
		}
		if m.Method != "" && m.ID != nil {
			send(reply)
		} else if m.Error != nil {
			log.Fatalln(m.Error.Message)
		} else if string(m.ID) == `"save"` {
			fmt.Println("at line", note.UserInfo["line"], "- saved")
		}
		if m.Method == "scene/didDisconnect" {
			return
		}
	}
	log.Fatalln("the connection to the broker ended")
}
