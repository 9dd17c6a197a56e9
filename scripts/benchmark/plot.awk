# Draws the series of scripts/bench --plot as SVG: for each series a diagram of the CPU time for one
# operation, and below it one of the memory. Both axes are logarithmic. Each input line has the name
# of a series, its unit, its work, and a point: a number, nanoseconds and bytes.
BEGIN { width = 230; height = 150; margin = 52 }
{
  if (!($1 in first)) { first[$1] = ++count; name[count] = $1; unit[$1] = $2; work[$1] = $3 }
  split($4, point, " ")
  points[$1]++
  x[$1, points[$1]] = point[1]
  y["cpu", $1, points[$1]] = point[2] / 1000
  y["memory", $1, points[$1]] = point[3] / 1048576
}
# The lowest power of ten that is at most a value, as an exponent.
function decade(value,   exponent) {
  exponent = int(log(value) / log(10))
  return exponent - (10 ^ exponent > value * 1.0000001)
}
function label(value) {
  return value >= 1000000 ? value / 1000000 "M" : value >= 1000 ? value / 1000 "k" : value ""
}
function diagram(kind, series, left, top, title,   low, high, step, index_, across, down, path) {
  low = high = decade(y[kind, series, 1])
  for (index_ = 1; index_ <= points[series]; index_++) {
    step = decade(y[kind, series, index_])
    if (step < low) low = step
    if (step > high) high = step
  }
  high++
  printf "<text x='%d' y='%d' class='title'>%s</text>\n", left, top - 10, title
  for (step = low; step <= high; step++) {
    down = top + height * (high - step) / (high - low)
    printf "<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' class='grid'/>\n", left, down, left + width, down
    printf "<text x='%d' y='%.1f' class='tick end'>%s</text>\n", left - 5, down + 3, label(10 ^ step)
  }
  path = ""
  for (index_ = 1; index_ <= points[series]; index_++) {
    across = left + width * (log(x[series, index_]) - log(x[series, 1])) \
      / (log(x[series, points[series]]) - log(x[series, 1]))
    down = top + height * (high - log(y[kind, series, index_]) / log(10)) / (high - low)
    path = path sprintf("%.1f,%.1f ", across, down)
    printf "<circle cx='%.1f' cy='%.1f' r='3'/>\n", across, down
    printf "<text x='%.1f' y='%d' class='tick middle'>%s</text>\n", across, top + height + 14, \
      label(x[series, index_])
  }
  printf "<polyline points='%s'/>\n", path
  printf "<text x='%d' y='%d' class='tick middle'>%s</text>\n", left + width / 2, top + height + 28, \
    unit[series]
}
END {
  printf "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'>\n", \
    count * (width + margin + 20), 2 * (height + 80)
  print "<style>text{font:11px sans-serif}.title{font-weight:bold}.end{text-anchor:end}"
  print ".middle{text-anchor:middle}.grid{stroke:#ccc}polyline{fill:none;stroke:#06c;stroke-width:2}"
  print "circle{fill:#06c}</style>"
  print "<rect width='100%' height='100%' fill='white'/>"
  for (number = 1; number <= count; number++) {
    left = margin + (number - 1) * (width + margin + 10)
    diagram("cpu", name[number], left, 40, "CPU time for " work[name[number]] ", us")
    diagram("memory", name[number], left, 40 + height + 80, "memory, MiB")
  }
  print "</svg>"
}
