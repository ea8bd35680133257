-- The codecs of streams: how many, how much was lost, and how they sounded.
SELECT codec, mos_scale AS scale, count(*) AS streams, sum(packets) AS packets,
  round(100.0 * sum(lost) / nullif(sum(expected), 0), 2) AS lost_percent, round(avg(mos), 2) AS mean_mos,
  round(min(mos), 2) AS min_mos
FROM streams
GROUP BY codec, scale
ORDER BY streams DESC, codec, scale
