# Prints a line of the table. Each input line has the figure of a run and its reference.
# Variables: label, unit, aim ("<=" or ">=", and the ratio), and quick if an aim counts as neither
# met nor missed.
function sort(values,   i, j, swap) {
  for (i = 2; i <= NR; i++)
    for (j = i; j > 1 && values[j - 1] > values[j]; j--) {
      swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap
    }
}
function median(values) {
  sort(values)
  return (values[int((NR + 1) / 2)] + values[int(NR / 2) + 1]) / 2
}
function shown(value) {
  if (unit == "us") return sprintf("%.2f us", value / 1000)
  if (unit == "ms") return sprintf("%.2f ms", value / 1000000)
  return sprintf("%d %s", value, unit)
}
function meets(aim,   words) {
  split(aim, words, " ")
  return words[1] == "<=" ? middle <= words[2] : middle >= words[2]
}
{ figures[NR] = $1; references[NR] = $2; ratios[NR] = $1 / ($2 > 0 ? $2 : 1) }
END {
  figure = shown(median(figures))
  reference = unit == "B" ? "" : shown(median(references))
  middle = median(ratios)
  spread = sprintf("%.2f-%.2f", ratios[1], ratios[NR])
  verdict = aim == "" || quick ? "" : meets(aim) ? " met" : " MISSED"
  printf "%-44s %12s %12s %6.2f  %-12s %s\n", label, reference, figure, middle, spread, aim verdict
}
