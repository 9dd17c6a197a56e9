/// The C library. All files of this module see it.
@_exported public import Glibc
