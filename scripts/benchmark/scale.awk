# Prints the points of a series with their growth. Each input line has a number, nanoseconds of CPU
# time for one operation, and bytes of memory. Variables: unit and work.
#
# The growth is the exponent between two points: 0 if the CPU time of an operation does not depend
# on the number, and 1 if it grows in proportion.
function shape(exponent) {
  return exponent < 0.3 ? "flat" : exponent < 1.2 ? "linear" : "steeper"
}
function time_of(nanoseconds) {
  if (nanoseconds < 1000000) return sprintf("%.2f us", nanoseconds / 1000)
  return sprintf("%.2f ms", nanoseconds / 1000000)
}
NR == 1 { printf "%s, CPU time for %s\n", unit, work }
{
  growth = form = ""
  if (NR > 1 && $2 > 0 && last_time > 0) {
    growth = sprintf("%.2f", log($2 / last_time) / log($1 / last_number))
    form = shape(growth)
  }
  printf "  %-22d %12s %10.1f MiB %10s %-8s\n", $1, time_of($2), $3 / 1048576, growth, form
  last_number = $1; last_time = $2
}
