-- The phones and servers of calls, by User-Agent and Server: how many calls, and how many of them were bad.
SELECT software, count(*) AS calls, count(*) FILTER (bad) AS bad,
  round(100.0 * count(*) FILTER (bad) / count(*), 1) AS bad_percent, round(avg(worst_mos), 2) AS mean_worst_mos
FROM (
  SELECT id, caller_software AS software, bad, worst_mos FROM calls
  UNION
  SELECT id, callee_software, bad, worst_mos FROM calls)
WHERE software IS NOT NULL
GROUP BY software
ORDER BY bad DESC, calls DESC, software
