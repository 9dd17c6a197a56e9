import CPlatform

/// The memory of this process.
package enum ProcessMemory {
  /// Keeps freed buffers of up to 4 MiB, and up to 16 MiB at the end of the heap, for later use
  /// (glibc). Otherwise each buffer of a long frame costs a page fault for every 4 KiB.
  package static func keepFreed() { platform_keep_memory() }

  /// Returns memory that the allocator keeps for later to the system, where the C library can do that
  /// (glibc). This may take some milliseconds.
  package static func returnUnused() { platform_return_memory() }
}
