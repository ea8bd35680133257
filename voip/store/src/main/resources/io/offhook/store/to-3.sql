-- Old rows may be in Parquet files: tables get another name, and views show both.
ALTER TABLE calls RENAME TO recent_calls;
ALTER TABLE call_documents RENAME TO recent_call_documents;
ALTER TABLE dialogs RENAME TO recent_dialogs;
ALTER TABLE problems RENAME TO recent_problems;
ALTER TABLE streams RENAME TO recent_streams;
ALTER TABLE stream_intervals RENAME TO recent_stream_intervals;
ALTER TABLE messages RENAME TO recent_messages;
ALTER TABLE message_texts RENAME TO recent_message_texts;
CREATE TABLE archived_files (table_name VARCHAR, day DATE, odd_times BOOLEAN, number BIGINT, bytes BIGINT,
  first_at TIMESTAMP_NS, last_at TIMESTAMP_NS, has_replaced BOOLEAN);
CREATE TABLE archived_replaced (kind VARCHAR, id BIGINT, moment TIMESTAMP_NS);
ALTER TABLE offhook ADD COLUMN files_in VARCHAR;
