-- Registrations that did not succeed, by client: rejected, unanswered, expired; many names of one client are a scan.
SELECT regexp_replace(client, ':[0-9]+$', '') AS client, outcome, final_status, count(*) AS registrations,
  sum(requests) AS requests, count(DISTINCT address_of_record) AS names, any_value(address_of_record) AS example,
  any_value(user_agent) AS user_agent, min(first_at) AS first_at, max(last_at) AS last_at
FROM registrations
WHERE outcome IN ('rejected', 'unanswered', 'expired', 'challenged')
GROUP BY ALL
ORDER BY registrations DESC, client, outcome, final_status
