-- The calls that sounded worst: lowest MOS first, with what was wrong.
SELECT invited_at, from_user, to_user, outcome, round(duration_ms / 1000, 1) AS seconds, codec,
  round(worst_mos, 2) AS mos, worst_mos_scale AS scale, verdict, call_id
FROM calls
WHERE worst_mos IS NOT NULL
ORDER BY worst_mos, invited_at
LIMIT 20
