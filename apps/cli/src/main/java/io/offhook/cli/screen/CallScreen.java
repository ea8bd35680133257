package io.offhook.cli.screen;

import io.offhook.calls.CallReport;
import io.offhook.cli.ladder.CallLadder;
import io.offhook.cli.terminal.Style;
import io.offhook.report.text.Words;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One call, or several in one ladder: header and ladder, row by row. */
final class CallScreen implements Screen {
    private static final String KEYS = "Enter message  t streams  d SDP  r anew  F2 save  Esc back";

    private final CallSource source;
    private final View view;
    private final Chrome chrome;
    private final List<CallReport> calls;
    private CompletableFuture<CallDetail> loading;
    private @Nullable CallDetail detail;
    private String message = "";
    private Style messageStyle = Style.PLAIN;
    private @Nullable Prompt saving;
    private @Nullable CompletableFuture<String> saved;

    /** The row of the ladder that keys act on. */
    private int row;

    private int top;
    private int madeFor;
    private List<CallLadder.Line> made = List.of();

    CallScreen(CallSource source, View view, List<CallReport> calls) {
        this.source = source;
        this.view = view;
        this.calls = List.copyOf(calls);
        chrome = new Chrome(source);
        loading = source.detail(calls);
        refresh();
    }

    @Override
    public boolean refresh() {
        boolean isChanged = false;
        if (loading.isDone() && detail == null && message.isEmpty()) {
            if (loading.isCompletedExceptionally()) {
                message = loading.handle((_, thrown) -> Failure.text(thrown)).join();
                messageStyle = Style.BAD;
            } else {
                detail = loading.join();
                madeFor = 0;
            }
            isChanged = true;
        }
        CompletableFuture<String> writing = saved;
        if (writing != null && writing.isDone()) {
            saved = null;
            message = writing.handle((said, thrown) -> thrown == null ? said : Failure.text(thrown))
                    .join();
            messageStyle = writing.isCompletedExceptionally() ? Style.BAD : Style.GOOD;
            isChanged = true;
        }
        return isChanged;
    }

    /** Header and ladder; lines of the header have row -1. */
    private List<CallLadder.Line> lines(int columns) {
        CallDetail shown = detail;
        int width = View.textWidth(columns);
        if (shown != null && width != madeFor) {
            List<CallLadder.Line> lines = new ArrayList<>();
            for (String line : shown.ladder().header(view.times(), width, View.STYLED)) {
                lines.add(new CallLadder.Line(line, -1));
            }
            lines.add(new CallLadder.Line("", -1));
            lines.addAll(shown.ladder().lines(view.times(), width, View.STYLED, view.unicode()));
            if (shown.leftOut() > 0) {
                lines.add(new CallLadder.Line(
                        Words.count(shown.leftOut(), "more message") + " not shown",
                        shown.ladder().rows() - 1));
            }
            made = lines;
            madeFor = width;
        }
        return made;
    }

    /** The uppermost line, so that the row under the cursor is in sight. */
    private int top(List<CallLadder.Line> lines, int shown) {
        int first = 0;
        int last = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).row() == row) {
                first = last == 0 ? i : first;
                last = i;
            }
        }
        int lowest = Math.max(0, Math.min(last, first + shown - 1) - shown + 1);
        return Math.clamp(top, Math.min(lowest, first), Math.max(first, lowest));
    }

    @Override
    public void draw(Cells cells) {
        chrome.draw(cells, title(), message, messageStyle, KEYS);
        List<CallLadder.Line> lines = lines(cells.width());
        int shown = chrome.shown(cells.height());
        int first = top(lines, shown);
        int marked = -1;
        for (int i = 0; i < shown && first + i < lines.size(); i++) {
            CallLadder.Line line = lines.get(first + i);
            int at = chrome.top() + i;
            cells.styled(at, 1, line.text());
            boolean begins = first + i == 0 || lines.get(first + i - 1).row() != line.row();
            if (line.row() == row && begins && marked < 0) {
                cells.mark(at, Cells.Mark.CURSOR);
                marked = at;
            }
        }
        if (detail == null && message.isEmpty()) {
            cells.cut(chrome.top() + 1, 2, cells.width(), "Reading the messages...", Style.FAINT);
        }
        Prompt prompt = saving;
        if (prompt != null) {
            Pages.prompt(cells, prompt);
        }
    }

    private String title() {
        return CallDetail.name(calls);
    }

    @Override
    public Step on(Key key, int columns, int rows) {
        Prompt prompt = saving;
        if (prompt != null) {
            return save(key, prompt);
        }
        if (key.kind() == Key.Kind.ESCAPE || key.kind() == Key.Kind.LEFT || key.is('q')) {
            return Step.BACK;
        }
        CallDetail shown = detail;
        if (shown == null) {
            return Step.STAY;
        }
        message = "";
        messageStyle = Style.PLAIN;
        List<CallLadder.Line> lines = lines(columns);
        top = top(lines, chrome.shown(rows));
        if (move(key, lines, shown.ladder().rows(), chrome.shown(rows))) {
            return Step.STAY;
        }
        return switch (key.kind()) {
            case ENTER, RIGHT -> open(shown);
            case CLICK -> click(key, shown, lines);
            case FUNCTION -> function(key, shown);
            case CHARACTER -> character(key, shown);
            default -> Step.STAY;
        };
    }

    private Step character(Key key, CallDetail shown) {
        return switch (key.value()) {
            case 't' -> new Step.Open(Pages.streams(chrome, view, shown));
            case 'd' -> new Step.Open(Pages.sessions(chrome, view, shown));
            case 'r' -> {
                loading = source.detail(calls);
                detail = null;
                yield Step.STAY;
            }
            default -> Step.STAY;
        };
    }

    private Step function(Key key, CallDetail shown) {
        return switch (key.value()) {
            case 2 -> {
                saving = new Prompt(
                        "Write " + Words.count(calls.size(), "call") + " to (.pcapng, .pcap, .txt, .sipp):",
                        "call.pcapng");
                yield Step.STAY;
            }
            case 3 -> new Step.Open(Pages.streams(chrome, view, shown));
            case 4 -> new Step.Open(Pages.sessions(chrome, view, shown));
            default -> Step.STAY;
        };
    }

    private boolean move(Key key, List<CallLadder.Line> lines, int count, int shown) {
        Scroll scroll = new Scroll();
        scroll.to(row, count, 1);
        // above the first row is the header, which scrolls line by line
        boolean isUp = key.kind() == Key.Kind.UP || key.kind() == Key.Kind.WHEEL_UP || key.is('k');
        if (row == 0 && isUp) {
            top = Math.max(0, top - 1);
            return true;
        }
        if (!scroll.on(key, count, Math.max(2, shown / 2))) {
            return false;
        }
        row = scroll.cursor();
        if (row == 0) {
            top = 0;
        }
        top = top(lines, shown);
        return true;
    }

    private Step click(Key key, CallDetail shown, List<CallLadder.Line> lines) {
        int at = top + key.row() - chrome.top();
        if (key.row() < chrome.top() || at >= lines.size() || lines.get(at).row() < 0) {
            return Step.STAY;
        }
        if (lines.get(at).row() == row) {
            return open(shown);
        }
        row = lines.get(at).row();
        return Step.STAY;
    }

    /** The message of a row; of a row of media, its streams. */
    private Step open(CallDetail shown) {
        if (shown.ladder().rows() == 0) {
            return Step.STAY;
        }
        int index = shown.ladder().message(row);
        return new Step.Open(
                index < 0
                        ? Pages.streams(chrome, view, shown)
                        : new MessageScreen(chrome, view, shown.messages(), index));
    }

    private Step save(Key key, Prompt prompt) {
        if (prompt.on(key)) {
            return Step.STAY;
        }
        if (key.kind() == Key.Kind.ENTER && !prompt.text().isBlank()) {
            String name = prompt.text().strip();
            try {
                saved = source.save(calls, Path.of(name));
                message = "writing " + name + (source.isReading() ? " when all is read..." : "...");
                messageStyle = Style.PLAIN;
            } catch (InvalidPathException e) {
                message = name + " is not a valid path: " + e.getReason();
                messageStyle = Style.BAD;
            }
        }
        if (key.kind() == Key.Kind.ENTER || key.kind() == Key.Kind.ESCAPE) {
            saving = null;
        }
        return Step.STAY;
    }

    @Override
    public boolean isTyping() {
        return saving != null;
    }

    @Override
    public List<String> help() {
        return List.of(
                "Enter, Right      the message, explained; of media, its streams",
                "t, F3             the streams: loss, discarded packets, jitter and MOS over time",
                "d, F4             session descriptions: offer and answer side by side",
                "r                 read the call anew, if it goes on",
                "F2                save the call",
                "Esc, Left, q      back to the list");
    }
}
