-- Answered calls of less than ten seconds, by the address that sent them: people hang up when they hear nothing.
SELECT regexp_replace(source_address, ':[0-9]+$', '') AS "from", count(*) AS answered,
  count(*) FILTER (duration_ms < 10000) AS short,
  round(100.0 * count(*) FILTER (duration_ms < 10000) / count(*), 1) AS short_percent,
  count(*) FILTER (duration_ms < 10000 AND bad) AS short_and_bad
FROM calls
WHERE duration_ms IS NOT NULL
GROUP BY "from"
HAVING short > 0
ORDER BY short_percent DESC, short DESC, "from"
