import CScenePlatform

/// The memory of this process.
package enum ProcessMemory {
  /// Makes glibc keep freed buffers of up to 4 MiB, and up to 16 MiB at the end of the heap.
  /// Otherwise each buffer of a long frame costs a page fault for every 4 KiB.
  package static func keepFreed() { platform_keep_memory() }

  /// Returns unused memory of the allocator to the system (glibc only). The call may take some
  /// milliseconds.
  package static func returnUnused() { platform_return_memory() }
}
