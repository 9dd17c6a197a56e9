import CPlatform

/// The memory of this process.
package enum ProcessMemory {
  /// Returns memory that the allocator keeps for later to the system, where the C library can do that
  /// (glibc). This may take some milliseconds.
  package static func returnUnused() { platform_return_memory() }
}
