package io.offhook.proxy.log;

import io.offhook.packet.SafeText;
import io.offhook.proxy.line.JsonLine;
import io.offhook.proxy.line.LineWriter.LineFormat;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** How messages of the log are written. In both forms, nothing from the network can steer a terminal or forge a line. */
public enum LogFormat implements LineFormat<LogEntry> {
    /** {@code 2026-11-26T13:20:44.123Z warning sip TEXT}, and each line of the detail indented by four spaces. */
    TEXT {
        @Override
        public void append(LogEntry entry, StringBuilder to) {
            TIME.formatTo(Instant.ofEpochMilli(entry.epochMs()), to);
            to.append(' ')
                    .append(entry.level().word())
                    .append(' ')
                    .append(entry.category().word())
                    .append(' ');
            SafeText.append(to, entry.text());
            to.append('\n');
            String detail = entry.detail();
            if (detail != null) {
                detail.lines().forEach(line -> {
                    SafeText.append(to.append("    "), line);
                    to.append('\n');
                });
            }
        }
    },
    /** An object a line: {@code time}, {@code level}, {@code category}, {@code text}, and {@code detail} if there is one. */
    JSON {
        @Override
        public void append(LogEntry entry, StringBuilder to) {
            JsonLine json = new JsonLine()
                    .object()
                    .field("time", TIME.format(Instant.ofEpochMilli(entry.epochMs())))
                    .field("level", entry.level().word())
                    .field("category", entry.category().word())
                    .field("text", entry.text());
            if (entry.detail() != null) {
                json.field("detail", entry.detail());
            }
            json.end().appendTo(to);
            to.append('\n');
        }
    };

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
}
