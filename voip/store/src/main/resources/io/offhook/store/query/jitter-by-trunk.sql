-- Jitter, loss and MOS of the media from each address, the highest jitter first.
SELECT regexp_replace(source, ':[0-9]+$', '') AS "from", count(*) AS streams, sum(packets) AS packets,
  round(100.0 * sum(lost) / nullif(sum(expected), 0), 2) AS lost_percent,
  round(avg(mean_jitter_ms), 2) AS mean_jitter_ms, round(quantile_cont(max_jitter_ms, 0.95), 2) AS p95_max_jitter_ms,
  round(max(max_delta_ms), 1) AS max_delta_ms, round(avg(mos), 2) AS mean_mos, round(min(mos), 2) AS min_mos
FROM streams
GROUP BY "from"
ORDER BY mean_jitter_ms DESC NULLS LAST, "from"
