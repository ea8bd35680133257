package io.offhook.cli.screen;

import io.offhook.calls.CallReport;
import io.offhook.cli.calls.CallSelection;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The list of calls: sorted, filtered, selected, and the way to the other pages. Only rows in sight are made. */
final class ListScreen implements Screen {
    /** The most calls in one ladder. */
    private static final int MOST_TOGETHER = 10;

    private static final String KEYS = "Enter call  Space select  / filter  s sort  F2 save  i statistics  q quit";

    private final CallSource source;
    private final View view;
    private final Chrome chrome;
    private final Scroll scroll = new Scroll();
    private final SelectedCalls selected = new SelectedCalls();

    private CallSelection selection;
    private String typed = "";
    private CallSource.State state;
    private ListedCalls listed;

    private @Nullable Prompt filtering;
    private @Nullable Prompt saving;
    private @Nullable CompletableFuture<String> saved;
    private String message = "";
    private Style messageStyle = Style.PLAIN;

    /** @param selection that the options of the command describe */
    ListScreen(CallSource source, View view, CallSelection selection) {
        this.source = source;
        this.view = view;
        this.selection = selection;
        chrome = new Chrome(source);
        state = source.state();
        listed = new ListedCalls(state, selection);
    }

    /** Lists the calls anew, with the cursor on the call with that Call-ID; on the first one if it is null. */
    private void list(@Nullable String at) {
        listed = new ListedCalls(state, selection);
        int cursor = at == null ? 0 : listed.indexOf(at, scroll.cursor());
        scroll.follow(cursor < 0 ? scroll.cursor() : cursor, listed.size());
    }

    private @Nullable CallReport current() {
        return scroll.cursor() < listed.size() ? listed.calls().get(scroll.cursor()) : null;
    }

    @Override
    public boolean refresh() {
        boolean isChanged = false;
        CallSource.State now = source.state();
        if (now.revision() != state.revision()) {
            CallReport current = current();
            // who looks at the first row sees the first call, whichever that will be
            String at = current == null || scroll.cursor() == 0 ? null : current.callId();
            state = now;
            selected.follow(now.result().calls());
            list(at);
            isChanged = true;
        }
        CompletableFuture<String> writing = saved;
        if (writing != null && writing.isDone()) {
            saved = null;
            say(writing);
            isChanged = true;
        }
        return isChanged;
    }

    private void say(CompletableFuture<String> writing) {
        message = writing.handle((said, thrown) -> thrown == null ? said : Failure.text(thrown))
                .join();
        messageStyle = writing.isCompletedExceptionally() ? Style.BAD : Style.GOOD;
    }

    @Override
    public void draw(Cells cells) {
        Style style = messageStyle;
        String said = message;
        if (said.isEmpty()) {
            said = state.failure().isEmpty() ? standing() : state.failure();
            style = state.failure().isEmpty() ? Style.FAINT : Style.BAD;
        }
        chrome.draw(cells, source.names() + ": " + listed.counted(), said, style, KEYS);
        rows(cells);
        Prompt prompt = filtering != null ? filtering : saving;
        if (prompt != null) {
            Pages.prompt(cells, prompt);
        }
    }

    /** What holds at the moment: order, filter, selected calls, and which calls are gone. */
    private String standing() {
        List<String> parts = new ArrayList<>();
        if (!selection.order().equals("time")) {
            parts.add("sorted by " + selection.order());
        }
        if (!typed.isEmpty()) {
            parts.add("filter " + typed);
        }
        if (selected.size() > 0) {
            parts.add(Decimals.grouped(selected.size()) + " selected");
        }
        if (state.forgotten() > 0) {
            parts.add("the oldest " + Words.count(state.forgotten(), "call") + " forgotten: memory is bounded");
        }
        return String.join("; ", parts);
    }

    private void rows(Cells cells) {
        ListColumns columns = listed.columns(cells.width());
        int row = chrome.top();
        for (ListColumns.Place place : columns.places()) {
            cell(cells, row, place, place.title(), Style.HEADING);
        }
        int shown = shown(cells.height());
        int first = scroll.top(shown);
        for (int i = 0; i < shown && first + i < listed.size(); i++) {
            row++;
            if (first + i == scroll.cursor()) {
                cells.mark(row, Cells.Mark.CURSOR);
            }
            row(cells, row, columns, listed.calls().get(first + i));
        }
        if (listed.size() == 0) {
            cells.cut(row + 2, 2, cells.width(), nothing(), Style.FAINT);
        }
    }

    private String nothing() {
        if (!state.result().calls().isEmpty()) {
            return "No call matches the filter; Esc removes it.";
        }
        return state.activity().isEmpty()
                ? "No calls were found; offhook info says what there is."
                : "No calls so far.";
    }

    /** The rows of calls on a page: the headings take one. */
    private int shown(int rows) {
        return Math.max(1, chrome.shown(rows) - 1);
    }

    private static void cell(Cells cells, int row, ListColumns.Place place, @Nullable String text, Style style) {
        if (text == null || text.isEmpty()) {
            return;
        }
        int start = place.start();
        if (place.isRight()) {
            start = Math.max(start, place.end() - Text.width(text));
        }
        cells.cut(row, start, place.end(), text, style);
    }

    private void row(Cells cells, int row, ListColumns columns, CallReport call) {
        for (ListColumns.Place place : columns.places()) {
            ListColumns.Column column = place.column();
            if (column == ListColumns.Column.MARK && !selected.contains(call)) {
                continue;
            }
            String text = listed.text(column, call, view.times());
            if (text != null && column == ListColumns.Column.TIME) {
                text = Text.cut(text, place.end() - place.start(), ""); // "14:03:07", not "14:03:0~"
            }
            cell(cells, row, place, text, ListedCalls.style(column, call));
        }
    }

    @Override
    public Step on(Key key, int columns, int rows) {
        if (filtering != null) {
            return filter(key, filtering);
        }
        if (saving != null) {
            return save(key, saving);
        }
        message = "";
        messageStyle = Style.PLAIN;
        int shown = shown(rows);
        if (scroll.on(key, listed.size(), shown)) {
            return Step.STAY;
        }
        return switch (key.kind()) {
            case ENTER, RIGHT -> open(chosen());
            case CLICK -> click(key, shown);
            case ESCAPE -> escape();
            case CHARACTER -> character(key);
            case FUNCTION -> function(key);
            default -> Step.STAY;
        };
    }

    private Step click(Key key, int shown) {
        int clicked = scroll.top(shown) + key.row() - chrome.top() - 1;
        boolean isRow = key.row() > chrome.top() && key.row() <= chrome.top() + shown && clicked < listed.size();
        if (isRow && clicked == scroll.cursor()) {
            CallReport call = current();
            return open(call == null ? List.of() : List.of(call));
        }
        if (isRow) {
            scroll.to(clicked, listed.size(), shown);
        }
        return Step.STAY;
    }

    private Step character(Key key) {
        switch (key.value()) {
            case ' ' -> toggle();
            case '*' -> selected.toggleAll(listed.calls());
            case '/' -> filtering = new Prompt("Filter:", typed);
            case 's' -> order(1);
            case 'S' -> order(-1);
            case 'i' -> {
                return statistics();
            }
            case 'q' -> {
                return Step.QUIT;
            }
            default -> {
                return Step.STAY;
            }
        }
        return Step.STAY;
    }

    private Step function(Key key) {
        switch (key.value()) {
            case 2 -> askForFile();
            case 3, 7 -> filtering = new Prompt("Filter:", typed);
            case 6 -> order(1);
            case 9 -> unfilter();
            case 11 -> {
                return statistics();
            }
            default -> {
                return Step.STAY;
            }
        }
        return Step.STAY;
    }

    private Step open(List<CallReport> chosen) {
        if (chosen.size() > MOST_TOGETHER) {
            message = Words.count(chosen.size(), "call") + " are selected; one ladder shows " + MOST_TOGETHER
                    + " at most";
            messageStyle = Style.BAD;
            return Step.STAY;
        }
        return chosen.isEmpty() ? Step.STAY : new Step.Open(new CallScreen(source, view, chosen));
    }

    private Step statistics() {
        return new Step.Open(Pages.statistics(source, view, state, listed.calls()));
    }

    private void toggle() {
        CallReport call = current();
        if (call != null) {
            selected.toggle(call);
        }
    }

    private void order(int step) {
        CallReport current = current();
        selection = selection.nextOrder(step);
        list(scroll.cursor() == 0 || current == null ? null : current.callId());
        message = "sorted by " + selection.order();
    }

    /** Removes the filter; without one it ends what is still being read, which nobody waits for then. */
    private Step escape() {
        if (typed.isEmpty() && source.isReading()) {
            return Step.QUIT;
        }
        unfilter();
        return Step.STAY;
    }

    private void unfilter() {
        if (!typed.isEmpty()) {
            filter("");
        }
    }

    /** Applies a filter, unless it is wrong, which is said. */
    private boolean filter(String line) {
        CallSelection before = selection;
        CallReport current = current();
        try {
            selection = CallSelection.typed(line);
            list(current == null ? null : current.callId());
            typed = line;
            return true;
        } catch (MisuseException e) {
            selection = before;
            message = String.valueOf(e.getMessage());
            messageStyle = Style.BAD;
            return false;
        }
    }

    private Step filter(Key key, Prompt prompt) {
        if (!prompt.on(key)) {
            if (key.kind() == Key.Kind.ENTER) {
                message = "";
                filter(prompt.text().strip());
            }
            filtering = key.kind() == Key.Kind.ENTER || key.kind() == Key.Kind.ESCAPE ? null : prompt;
        }
        return Step.STAY;
    }

    private void askForFile() {
        if (!chosen().isEmpty()) {
            saving = new Prompt(
                    "Write " + Words.count(chosen().size(), "call") + " to (.pcapng, .pcap, .txt, .sipp):",
                    "calls.pcapng");
        }
    }

    /** The selected calls, or the one under the cursor if none is. */
    private List<CallReport> chosen() {
        List<CallReport> chosen = selected.of(state.result().calls());
        CallReport current = current();
        if (chosen.isEmpty() && current != null) {
            chosen.add(current);
        }
        return chosen;
    }

    private Step save(Key key, Prompt prompt) {
        if (!prompt.on(key)) {
            if (key.kind() == Key.Kind.ENTER && !prompt.text().isBlank()) {
                write(prompt.text().strip());
            }
            saving = key.kind() == Key.Kind.ENTER || key.kind() == Key.Kind.ESCAPE ? null : prompt;
        }
        return Step.STAY;
    }

    private void write(String name) {
        try {
            saved = source.save(chosen(), Path.of(name));
            message = "writing " + name + (source.isReading() ? " when all is read..." : "...");
            messageStyle = Style.PLAIN;
        } catch (InvalidPathException e) {
            message = name + " is not a valid path: " + e.getReason();
            messageStyle = Style.BAD;
        }
    }

    @Override
    public boolean isTyping() {
        return filtering != null || saving != null;
    }

    @Override
    public List<String> help() {
        return List.of(
                "Enter, Right      the call: its ladder; of selected calls, one ladder of all",
                "Space, *          select this call; all, or none",
                "/, F7, F3         filter: the options of offhook calls (--bad, --from 1234, --outcome busy,",
                "                  --min-mos 3.5...), or words that parties or Call-IDs contain",
                "Esc, F9           remove the filter; Esc without one ends reading, and quits",
                "s, S, F6          sort by the next or previous: mos, loss, jitter, set-up, length, time",
                "F2                save the selected calls, or this one",
                "i, F11            statistics of the listed calls",
                "q, Ctrl-C         quit");
    }
}
