-- How long callers waited for a sign of progress, by the address that was called: post-dial delay, and the slowest.
SELECT regexp_replace(destination_address, ':[0-9]+$', '') AS "to", count(set_up_ms) AS calls,
  round(avg(set_up_ms)) AS mean_ms, round(quantile_cont(set_up_ms, 0.5)) AS median_ms,
  round(quantile_cont(set_up_ms, 0.95)) AS p95_ms, round(max(set_up_ms)) AS max_ms,
  arg_max(call_id, set_up_ms) AS slowest_call_id
FROM calls
WHERE set_up_ms IS NOT NULL
GROUP BY "to"
ORDER BY p95_ms DESC, "to"
