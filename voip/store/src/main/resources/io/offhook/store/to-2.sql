-- Documents, legs, messages, registrations and drops; rows of a call have its time.
CREATE TABLE call_documents (call BIGINT, document VARCHAR, call_at TIMESTAMP_NS);
CREATE TABLE dialogs (call BIGINT, call_id VARCHAR, call_id_partial BOOLEAN, role VARCHAR, parent_call_id VARCHAR,
  joined_by VARCHAR, source_address VARCHAR, destination_address VARCHAR, outcome VARCHAR, final_status INTEGER,
  first_seen_at TIMESTAMP_NS, answered_at TIMESTAMP_NS, ended_at TIMESTAMP_NS, call_at TIMESTAMP_NS);
INSERT INTO dialogs SELECT id, call_id, false, 'root', NULL, NULL, source_address, destination_address, outcome,
  final_status, first_seen_at, answered_at, ended_at, first_seen_at FROM calls;
ALTER TABLE problems ADD COLUMN call_at TIMESTAMP_NS;
UPDATE problems SET call_at = calls.first_seen_at FROM calls WHERE calls.id = problems.call;
ALTER TABLE streams ADD COLUMN call_at TIMESTAMP_NS;
UPDATE streams SET call_at = calls.first_seen_at FROM calls WHERE calls.id = streams.call;
ALTER TABLE stream_intervals ADD COLUMN call_at TIMESTAMP_NS;
UPDATE stream_intervals SET call_at = calls.first_seen_at FROM calls WHERE calls.id = stream_intervals.call;
CREATE TABLE messages (id BIGINT, source VARCHAR, captured_at TIMESTAMP_NS, frame_number BIGINT,
  source_address VARCHAR, destination_address VARCHAR, transport VARCHAR, copy VARCHAR, method VARCHAR, status INTEGER,
  reason_phrase VARCHAR, request_uri VARCHAR, cseq_number BIGINT, cseq_method VARCHAR, call_id VARCHAR,
  from_user VARCHAR, to_user VARCHAR, from_uri VARCHAR, to_uri VARCHAR, from_tag VARCHAR, to_tag VARCHAR,
  contact_uri VARCHAR, user_agent VARCHAR, reason VARCHAR, content_type VARCHAR, length INTEGER);
CREATE TABLE message_texts (id BIGINT, captured_at TIMESTAMP_NS, text VARCHAR, octets BLOB);
CREATE TABLE registrations (id BIGINT, source VARCHAR, call_id VARCHAR, address_of_record VARCHAR, username VARCHAR,
  contact VARCHAR, user_agent VARCHAR, client VARCHAR, registrar VARCHAR, outcome VARCHAR, final_status INTEGER,
  challenged BOOLEAN, expires_seconds BIGINT, requests INTEGER, first_at TIMESTAMP_NS, last_at TIMESTAMP_NS,
  bound_until TIMESTAMP_NS, problems VARCHAR, first_frame BIGINT);
CREATE TABLE drops (source VARCHAR, counted_at TIMESTAMP_NS, place VARCHAR, cause VARCHAR, count BIGINT);
