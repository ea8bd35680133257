-- Why calls failed: final status, cause and where it came from, the most frequent first.
SELECT outcome, final_status, q850_cause, any_value(reason) AS reason_example,
  regexp_replace(destination_address, ':[0-9]+$', '') AS "to", count(*) AS calls, min(invited_at) AS first_at,
  max(invited_at) AS last_at
FROM calls
WHERE outcome NOT IN ('answered', 'ongoing', 'ringing', 'redirected')
GROUP BY outcome, final_status, q850_cause, "to"
ORDER BY calls DESC, final_status, q850_cause, "to"
LIMIT 50
