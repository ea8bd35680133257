package io.offhook.cli.screen;

import io.offhook.cli.messages.KeptMessage;
import io.offhook.cli.messages.MessageArrow;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One message: its text, what its header fields mean, and what changed since the one before of its kind. */
final class MessageScreen implements Screen {
    private static final String KEYS = "Left Right message  d difference  e explain  Esc back";

    /** Where explanations stand beside the text, if the page is that wide; below it otherwise. */
    private static final int WIDE = 110;

    private static final int INDENT = 6;

    private final Chrome chrome;
    private final View view;
    private final List<KeptMessage> messages;
    private final HeaderNotes notes = new HeaderNotes();
    private int index;
    private boolean isDifference = true;
    private boolean isExplained = true;
    private int top;

    MessageScreen(Chrome chrome, View view, List<KeptMessage> messages, int index) {
        this.chrome = chrome;
        this.view = view;
        this.messages = messages;
        this.index = index;
    }

    /** The message before of the same kind: the same method or status the same way, else any such. */
    private @Nullable KeptMessage before() {
        KeptMessage message = messages.get(index);
        KeptMessage looser = null;
        for (int i = index - 1; i >= 0; i--) {
            KeptMessage earlier = messages.get(i);
            boolean isAlike = earlier.method().equals(message.method())
                    && earlier.statusCode() == message.statusCode()
                    && earlier.cseqMethod().equals(message.cseqMethod());
            boolean isSameWay = earlier.source().equals(message.source())
                    && earlier.destination().equals(message.destination())
                    && earlier.callId().equals(message.callId());
            if (isAlike && isSameWay) {
                return earlier;
            }
            looser = isAlike && looser == null ? earlier : looser;
        }
        return looser;
    }

    private static List<String> text(KeptMessage message) {
        return new String(message.bytes(), StandardCharsets.UTF_8)
                .lines()
                .map(Text::printable)
                .toList();
    }

    private List<String> lines(int width) {
        KeptMessage message = messages.get(index);
        KeptMessage before = isDifference ? before() : null;
        List<String> lines = new ArrayList<>();
        StringBuilder head = new StringBuilder();
        String facts = message.source() + " -> " + message.destination() + ", " + message.transport() + ", frame "
                + message.frameNumber() + ", " + view.times().timeOfDayMicros(message.timestampNs()) + ", "
                + message.bytes().length + " bytes";
        Style.FAINT.append(head, Text.cut(facts, width, view.unicode() ? "…" : "~"), true);
        lines.add(head.toString());
        lines.add(styled(Style.FAINT, compared(before)));
        lines.add("");
        List<LineDifference.Line> text = before == null
                ? text(message).stream()
                        .map(line -> new LineDifference.Line(LineDifference.Change.SAME, line))
                        .toList()
                : LineDifference.of(text(before), text(message));
        boolean isHead = true;
        for (int i = 0; i < text.size(); i++) {
            LineDifference.Line line = text.get(i);
            isHead &= !line.text().isEmpty();
            String note =
                    isExplained && isHead && line.change() != LineDifference.Change.GONE ? note(line.text()) : null;
            lines(lines, line, note, i == 0, width);
        }
        return lines;
    }

    private String compared(@Nullable KeptMessage before) {
        if (!isDifference) {
            return "d shows what changed since the message before of its kind.";
        }
        return before == null
                ? "The first of its kind in this call."
                : "Against the one before of its kind, frame " + before.frameNumber() + ": - is gone, + is new.";
    }

    private @Nullable String note(String line) {
        int colon = line.indexOf(':');
        return colon <= 0 || line.charAt(0) == ' ' ? null : notes.of(line.substring(0, colon));
    }

    private static String styled(Style style, String text) {
        StringBuilder line = new StringBuilder();
        style.append(line, text, true);
        return line.toString();
    }

    private static void lines(
            List<String> lines, LineDifference.Line line, @Nullable String note, boolean isFirst, int width) {
        String sign = switch (line.change()) {
            case SAME -> "  ";
            case GONE -> "- ";
            case NEW -> "+ ";
        };
        Style style = switch (line.change()) {
            case SAME -> isFirst ? Style.HEADING : Style.PLAIN;
            case GONE -> Style.BAD;
            case NEW -> Style.GOOD;
        };
        boolean isBeside = width >= WIDE;
        int room = isBeside && note != null ? width * 3 / 5 : width;
        List<String> parts = Text.wrap(line.text(), room - 2);
        List<String> explained =
                note == null ? List.of() : Text.wrap(note, isBeside ? width - room - 2 : width - INDENT);
        for (int i = 0; i < parts.size(); i++) {
            StringBuilder shown = new StringBuilder();
            style.append(shown, (i == 0 ? sign : "  ") + parts.get(i), true);
            if (isBeside && i < explained.size()) {
                shown.repeat(' ', Math.max(1, room - 2 - Text.width(parts.get(i))) + 2);
                Style.FAINT.append(shown, explained.get(i), true);
            }
            lines.add(shown.toString());
        }
        for (int i = isBeside ? parts.size() : 0; i < explained.size(); i++) {
            lines.add(" ".repeat(isBeside ? room + 2 : INDENT) + styled(Style.FAINT, explained.get(i)));
        }
    }

    @Override
    public void draw(Cells cells) {
        String title =
                "message " + (index + 1) + " of " + messages.size() + ": " + MessageArrow.label(messages.get(index));
        chrome.draw(cells, title, "", Style.PLAIN, KEYS);
        List<String> lines = lines(View.textWidth(cells.width()));
        int shown = chrome.shown(cells.height());
        int first = Math.clamp(top, 0, Math.max(0, lines.size() - shown));
        for (int i = 0; i < shown && first + i < lines.size(); i++) {
            cells.styled(chrome.top() + i, 1, lines.get(first + i));
        }
    }

    @Override
    public Step on(Key key, int columns, int rows) {
        int shown = chrome.shown(rows);
        int count = Math.max(1, lines(View.textWidth(columns)).size() - shown + 1);
        switch (key.kind()) {
            case ESCAPE -> {
                return Step.BACK;
            }
            case LEFT -> show(index - 1);
            case RIGHT, ENTER -> show(index + 1);
            default -> {
                return other(key, count, shown);
            }
        }
        return Step.STAY;
    }

    private Step other(Key key, int count, int shown) {
        Scroll scroll = new Scroll();
        scroll.to(top, count, 1);
        if (scroll.on(key, count, shown)) {
            top = scroll.cursor();
        } else if (key.is('d')) {
            isDifference = !isDifference;
        } else if (key.is('e')) {
            isExplained = !isExplained;
        } else if (key.is('q')) {
            return Step.BACK;
        }
        return Step.STAY;
    }

    private void show(int other) {
        int next = Math.clamp(other, 0, messages.size() - 1);
        top = next == index ? top : 0;
        index = next;
    }

    @Override
    public List<String> help() {
        return List.of(
                "Left, Right       the message before, the next one",
                "d                 with or without what changed since the one before of its kind",
                "e                 with or without what the header fields mean",
                "Esc, q            back to the ladder");
    }
}
