-- Calls in which one side heard nothing, or neither did: audio in one direction only, or in none.
SELECT calls.invited_at, from_user, to_user, round(duration_ms / 1000, 1) AS seconds, problems.kind, problems.side,
  problems.text, source_address, destination_address, calls.call_id
FROM calls JOIN problems ON problems.call = calls.id AND problems.call_at = calls.first_seen_at
WHERE problems.kind IN ('oneWayAudio', 'noAudio')
ORDER BY calls.invited_at
