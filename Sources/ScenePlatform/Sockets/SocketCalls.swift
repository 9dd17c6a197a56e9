// The calls under names that methods of the same name do not hide.

func systemSocket(_ domain: Int32, _ kind: Int32, _ number: Int32) -> Int32 {
  socket(domain, kind, number)
}

func systemBind(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
  bind(socket, address, size)
}

func systemListen(_ socket: Int32, _ backlog: Int32) -> Int32 {
  listen(socket, backlog)
}

func systemConnect(
  _ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
  connect(socket, address, size)
}

func systemSend(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, waits: Bool) -> Int {
  send(socket, bytes.baseAddress, bytes.count, sendFlags | (waits ? 0 : Int32(MSG_DONTWAIT)))
}

func systemReceive(
  _ socket: Int32, _ buffer: UnsafeMutableRawBufferPointer, waits: Bool
) -> Int {
  recv(socket, buffer.baseAddress, buffer.count, waits ? 0 : Int32(MSG_DONTWAIT))
}

func systemShutdown(_ socket: Int32) -> Int32 {
  shutdown(socket, Int32(SHUT_WR))
}
