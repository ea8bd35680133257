-- The busy hour of each day: the 60 minutes with the most INVITEs (ITU-T E.600), and their traffic in Erlang.
WITH attempts AS (
  SELECT invited_at, invited_at::DATE AS day,
    count(*) OVER (ORDER BY epoch_ns(invited_at) RANGE BETWEEN CURRENT ROW AND 3599999999999 FOLLOWING) AS attempts
  FROM calls
  WHERE invited_at IS NOT NULL
), busiest AS (
  SELECT day, arg_min(invited_at, (-attempts, invited_at)) AS from_at, max(attempts) AS attempts
  FROM attempts
  GROUP BY day
)
SELECT day, from_at, attempts, round((
    SELECT coalesce(sum(greatest(0,
      least(epoch_ns(coalesce(ended_at, answered_at)), epoch_ns(from_at) + 3600000000000)
        - greatest(epoch_ns(answered_at), epoch_ns(from_at)))), 0)
    FROM calls
    WHERE answered_at IS NOT NULL) / 3600e9, 3) AS erlang
FROM busiest
ORDER BY day
