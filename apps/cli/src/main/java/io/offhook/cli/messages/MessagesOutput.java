package io.offhook.cli.messages;

import io.offhook.calls.event.SipListener.Copy;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.terminal.AddressColumns;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.packet.SafeText;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.io.Writer;

/** Writes SIP messages in one of the formats, one at a time. */
public sealed interface MessagesOutput {

    /** Writes one message. */
    void print(KeptMessage entry) throws IOException;

    /** Lines for people, each optionally followed by the text of the message. */
    final class Lines implements MessagesOutput {
        private static final int NUMBER_WIDTH = 6;
        private static final int LABEL_WIDTH = 16;
        private static final int SHORTEST_LABEL = 4;
        /** The number, the time, the arrow, and a label. */
        private static final int WITHOUT_ADDRESSES = 38;
        /** Narrower lines lack the transport and the CSeq, whose method stands with the status of a response. */
        private static final int WIDTH_WITH_ALL = 90;

        /** Less than this of what follows the label says nothing. */
        private static final int LEAST_TAIL = 12;

        private static final int CSEQ_WIDTH = 13;
        private static final int PARTIES_WIDTH = 22;

        private final Writer out;
        private final Times times;
        private final boolean isVerbose;
        private final boolean colored;
        private final boolean isUnicode;
        private final int width;
        private final AddressColumns addresses;
        private final StringBuilder text = new StringBuilder(512);

        Lines(Terminal terminal, OutputOptions options, boolean isVerbose) {
            out = terminal.out();
            times = options.times();
            this.isVerbose = isVerbose;
            colored = terminal.isColored(options.color());
            isUnicode = terminal.isUnicode();
            width = terminal.width();
            addresses = new AddressColumns(width - WITHOUT_ADDRESSES, isUnicode);
        }

        @Override
        public void print(KeptMessage entry) throws IOException {
            text.setLength(0);
            String head = head(entry);
            int least = Math.min(LABEL_WIDTH, Math.max(SHORTEST_LABEL, width - Text.width(head)));
            String label = isNarrow() ? MessageArrow.label(entry) : Text.printable(entry.label());
            label = cell(
                    Text.width(head) + Text.width(label) > width ? Text.cut(label, least, ellipsis()) : label, least);
            int room = width - Text.width(head) - Text.width(label);
            String tail = room < LEAST_TAIL ? "" : tail(entry);
            text.append(head);
            style(entry).append(text, room < 0 ? label.stripTrailing() : label, colored);
            text.append(room < Text.width(tail) ? Text.cut(tail, room, ellipsis()) : tail);
            end();
            if (isVerbose) {
                appendMessage(text, entry.bytes());
                text.append('\n');
            }
            out.append(text);
        }

        /** Ends the line, without trailing spaces. */
        private void end() {
            int end = text.length();
            while (end > 0 && text.charAt(end - 1) == ' ') {
                end--;
            }
            text.setLength(end);
            text.append('\n');
        }

        private String ellipsis() {
            return isUnicode ? "…" : "~";
        }

        private String head(KeptMessage entry) {
            String number = Long.toString(entry.frameNumber());
            StringBuilder head = new StringBuilder(96);
            head.repeat(' ', Math.max(0, NUMBER_WIDTH - number.length()))
                    .append(number)
                    .append("  ")
                    .append(times.timeOfDay(entry.timestampNs()))
                    .append("  ");
            addresses.append(
                    head, entry.source().toString(), entry.destination().toString());
            head.append("  ");
            if (!isNarrow()) {
                head.append(cell(entry.transport().name(), 3));
            }
            return head.toString();
        }

        private boolean isNarrow() {
            return width < WIDTH_WITH_ALL;
        }

        private String tail(KeptMessage entry) {
            String parties = party(entry.from(), entry.fromUri()) + " -> " + party(entry.to(), entry.toUri());
            String rest = cell(parties, PARTIES_WIDTH) + Text.printable(entry.callId());
            if (isNarrow()) {
                return rest;
            }
            String tail = cell(Text.printable(entry.cseq()), CSEQ_WIDTH) + rest;
            return switch (entry.copy()) {
                case FIRST -> tail;
                case RETRANSMISSION -> tail + "  [retransmission]";
                case MIRRORED -> tail + "  [mirrored]";
            };
        }

        private static String party(String user, String uri) {
            return Text.printable(user.isEmpty() ? uri : user);
        }

        private static String cell(String text, int columns) {
            return text + " ".repeat(Math.max(0, columns - Text.width(text)) + 2);
        }

        private static Style style(KeptMessage entry) {
            return entry.copy() != Copy.FIRST ? Style.FAINT : MessageArrow.style(entry);
        }
    }

    /** Elements of an array in a document. */
    final class Json implements MessagesOutput {
        private final JsonFields json;
        private final boolean withText;

        /** @param json the document, with an open array */
        public Json(JsonFields json, boolean withText) {
            this.json = json;
            this.withText = withText;
        }

        @Override
        public void print(KeptMessage entry) {
            json.line().object();
            MessagesFields.write(json, entry, withText);
            json.end();
        }
    }

    /** One line of CSV per message. */
    final class Csv implements MessagesOutput {
        private final CsvFields csv;
        private final boolean withText;

        public Csv(Terminal terminal, boolean withText) throws IOException {
            csv = terminal.csv(MessagesFields.COLUMNS);
            this.withText = withText;
        }

        @Override
        public void print(KeptMessage entry) throws IOException {
            MessagesFields.write(csv, entry, withText);
            csv.endRecord();
        }
    }

    /** Appends the lines of a message, indented. Characters that would control a terminal are escaped. */
    static void appendMessage(StringBuilder to, byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            int end = at;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            int lineEnd = end > at && bytes[end - 1] == '\r' ? end - 1 : end;
            to.append("    ");
            SafeText.append(to, bytes, at, lineEnd - at);
            if (lineEnd == at) {
                to.setLength(to.length() - 4);
            }
            to.append('\n');
            at = end + 1;
        }
    }
}
