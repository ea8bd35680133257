-- ASR, NER (ITU-T E.425) and ACD (E.411) of each address that sent calls, and of all together.
WITH attempts AS (
  SELECT regexp_replace(source_address, ':[0-9]+$', '') AS address, outcome IN ('answered', 'ongoing') AS answered,
    outcome IN ('answered', 'ongoing', 'busy', 'declined') OR final_status = 480 OR ringing_at IS NOT NULL AS effective,
    duration_ms
  FROM calls
  WHERE invited_at IS NOT NULL AND outcome NOT IN ('ringing', 'redirected')
)
SELECT CASE WHEN grouping(address) = 1 THEN 'all' ELSE address END AS "from", count(*) AS attempts,
  count(*) FILTER (answered) AS answered, round(100.0 * count(*) FILTER (answered) / count(*), 1) AS asr_percent,
  round(100.0 * count(*) FILTER (effective) / count(*), 1) AS ner_percent,
  round(avg(duration_ms) / 1000, 1) AS acd_seconds
FROM attempts
GROUP BY GROUPING SETS ((address), ())
ORDER BY grouping(address) DESC, attempts DESC, "from"
