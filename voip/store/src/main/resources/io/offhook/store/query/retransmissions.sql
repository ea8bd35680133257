-- Where SIP messages had to be sent again: by hop and kind, the most retransmissions first.
SELECT regexp_replace(source_address, ':[0-9]+$', '') AS "from",
  regexp_replace(destination_address, ':[0-9]+$', '') AS "to", coalesce(method, status || ' ' || cseq_method) AS message,
  count(*) FILTER (copy = 'first') AS messages, count(*) FILTER (copy = 'retransmission') AS sent_again,
  count(DISTINCT call_id) FILTER (copy = 'retransmission') AS calls
FROM messages
GROUP BY "from", "to", message
HAVING sent_again > 0
ORDER BY sent_again DESC, "from", "to", message
LIMIT 50
