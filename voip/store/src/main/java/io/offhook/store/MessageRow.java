package io.offhook.store;

import io.offhook.calls.event.SipListener.Copy;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A row of the table of messages.
 *
 * @param id identifies the message
 * @param message its bytes
 * @param view on them
 */
record MessageRow(long id, CapturedMessage message, SipMessageView view) {
    private static final Table.Key KEY = new Table.Key("id", "captured_at");

    private static final Column<MessageRow> CAPTURED_AT = Column.time(
            "captured_at", "When the packet was captured that completes it.", row -> row.message.timestampNs());

    private static final Map<Copy, String> COPIES = copies();

    static final Table<MessageRow> TABLE = new Table<>(
            "messages",
            "A SIP message as captured, with the headers that one searches by. `dialogs` has the call of its"
                    + " `call_id`.",
            KEY,
            List.of(
                    Column.whole(
                            "id",
                            "Identifies the message; made of its bytes, time, source and destination.",
                            MessageRow::id),
                    Column.text(
                            "source",
                            "The file or the interfaces it was captured from.",
                            row -> row.message.feed().source()),
                    CAPTURED_AT,
                    Column.whole("frame_number", "Number of that packet, from 1.", row -> row.message.frameNumber()),
                    Column.text(
                            "source_address",
                            "Its sender, with port.",
                            row -> row.message.source().toString()),
                    Column.text(
                            "destination_address",
                            "Its receiver, with port.",
                            row -> row.message.destination().toString()),
                    Column.text(
                            "transport",
                            "`UDP`, `TCP`, `WS`, `SCTP`; opened with keys, `TLS`, `WSS`.",
                            row -> row.message.transport().name()),
                    Column.text(
                            "copy",
                            "`first`, `retransmission`, or `mirrored`: the same packet once more. NULL if that was not"
                                    + " examined.",
                            row -> row.message.copy() == null ? null : COPIES.get(row.message.copy())),
                    Column.header(
                            "method",
                            "Of a request; NULL for a response.",
                            row -> row.view.isRequest() ? row.view.methodText() : ""),
                    Column.count(
                            "status",
                            "Of a response, 100 to 699; NULL for a request.",
                            row -> row.view.isRequest() ? Column.NONE : row.view.statusCode()),
                    Column.header("reason_phrase", "Of a response.", row -> row.view.reasonPhrase()),
                    Column.header("request_uri", "Of a request.", row -> row.view.requestUri()),
                    Column.whole(
                            "cseq_number",
                            "Number of CSeq, 0 to 2^32 - 1.",
                            row -> row.view.cseqNumber() < 0 ? Column.NONE : row.view.cseqNumber()),
                    Column.header("cseq_method", "Method of CSeq.", row -> row.view.cseqMethodText()),
                    Column.header("call_id", "Call-ID.", row -> row.view.callId()),
                    Column.header("from_user", "User part of the From URI.", row -> row.view.fromUser()),
                    Column.header("to_user", "User part of the To URI.", row -> row.view.toUser()),
                    Column.header("from_uri", "The From URI.", row -> row.view.fromUri()),
                    Column.header("to_uri", "The To URI.", row -> row.view.toUri()),
                    Column.header("from_tag", "Tag of From.", row -> row.view.fromTag()),
                    Column.header("to_tag", "Tag of To.", row -> row.view.toTag()),
                    Column.header("contact_uri", "The first Contact URI.", row -> row.view.contactUri()),
                    Column.header("user_agent", "User-Agent, else Server.", MessageRow::userAgent),
                    Column.header("reason", "The first Reason header.", row -> row.view.reason()),
                    Column.header(
                            "content_type",
                            "Type of the body, in lower case, without parameters.",
                            row -> row.view.contentType()),
                    Column.count("length", "Bytes captured of it.", row -> row.message.octets().length)));

    static final Table<MessageRow> TEXTS = new Table<>(
            "message_texts",
            "The whole text of a message. It takes most of the room, and is the first to go.",
            KEY,
            List.of(
                    Column.whole("id", "`id` of the message.", MessageRow::id),
                    CAPTURED_AT,
                    Column.longUtf8(
                            "text",
                            "From its start line to the end of its body; in the place of what is no UTF-8, U+FFFD.",
                            row -> row.message.octets()),
                    Column.octets(
                            "octets",
                            "Its bytes, if `text` does not have them as they are; else NULL.",
                            row -> Utf8.isValid(row.message.octets()) ? null : row.message.octets())));

    private static Map<Copy, String> copies() {
        Map<Copy, String> copies = new EnumMap<>(Copy.class);
        for (Copy copy : Copy.values()) {
            copies.put(copy, copy.name().toLowerCase(Locale.ROOT));
        }
        return copies;
    }

    private String userAgent() {
        String userAgent = view.userAgent();
        return userAgent.isEmpty() ? view.text(SipHeader.SERVER) : userAgent;
    }
}
