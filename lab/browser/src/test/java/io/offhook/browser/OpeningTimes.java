package io.offhook.browser;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A measurement, no test: how long the page of a large database takes from the begin of the navigation to rows, and then to
 * be filtered, sorted and scrolled. {@code lab/bench/page} runs it.
 */
final class OpeningTimes {
    /** Waits for the frame in which a condition holds, and answers with the time since the begin. */
    private static final String WAIT = """
        const done = arguments[arguments.length - 1];
        const grid = () => document.querySelector('#calls [role=grid]');
        const row = () => document.querySelector('#calls .grid-row[data-key]');
        const first = row()?.dataset.key;
        const count = grid()?.ariaRowCount;
        const begin = BEGIN;
        %s
        const look = () => CONDITION ? requestAnimationFrame(() => done(performance.now() - begin)) : setTimeout(look, 2);
        look();
        """;

    private static final String NOW = "performance.now()";
    private static final String IS_OTHER = "(row() && grid().ariaBusy === 'false' && row().dataset.key !== first)";
    private static final String IS_FEWER = "(row() && grid().ariaBusy === 'false' && grid().ariaRowCount !== count)";

    private final Map<String, List<Double>> times = new LinkedHashMap<>();
    private final Browser browser;

    private OpeningTimes(Browser browser) {
        this.browser = browser;
    }

    /** @param arguments the database, and how often to measure; 10 times if that is missing */
    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
        PrintStream out = System.out;
        try (Served served = Served.start("--db", arguments[0]);
                Browser browser = Browser.start()) {
            OpeningTimes measured = new OpeningTimes(browser);
            for (int i = 0; i < rounds; i++) {
                measured.round(served);
            }
            measured.times.forEach((what, all) -> out.println(line(what, all)));
            browser.open(served.at("/"));
            out.println(browser.text("#call-count") + " in the list");
            browser.open("about:blank");
        }
    }

    private static String line(String what, List<Double> all) {
        List<Double> sorted = new ArrayList<>(all);
        Collections.sort(sorted);
        return String.format(
                Locale.ROOT,
                "%-34s first %5.0f ms, median %5.0f ms, worst %5.0f ms",
                what,
                all.getFirst(),
                sorted.get(sorted.size() / 2),
                sorted.getLast());
    }

    private void round(Served served) {
        browser.open(served.at("/"));
        measure("opened: rows", "0", "", "row()");
        measure("opened: totals with plots", "0", "", "document.querySelector('#total-asr svg')");
        measure(
                "scrolled to the middle",
                NOW,
                "document.querySelector('.grid-scroll').scrollTop ="
                        + " document.querySelector('.grid-scroll').scrollHeight / 2;",
                IS_OTHER);
        measure("scrolled to the end", NOW, "grid().scrollTop = grid().scrollHeight;", IS_OTHER);
        measure("sorted by caller", NOW, "document.querySelector('[data-sort=from]').click();", IS_OTHER);
        measure("only the bad ones", NOW, "document.querySelector('#filter-bad').click();", IS_FEWER);
        browser.open(served.at("/?text=12"));
        measure("opened with a search: rows", "0", "", "row()");
        browser.open(served.at("/statistics"));
        measure("opened: statistics", "0", "", "document.querySelector('#main table')");
        browser.open(served.at("/streams"));
        measure("opened: streams", "0", "", "document.querySelector('#streams .grid-row[data-key]')");
        browser.open(served.at("/"));
        measure("opened again: rows", "0", "", "row()");
        measure(
                "a call: ladder",
                NOW,
                "row().click();",
                "document.querySelectorAll('#ladder [id^=ladder-row-]').length > 3");
    }

    private void measure(String what, String begin, String action, String condition) {
        @Nullable
        Object took = browser.runUntilDone(
                WAIT.replace("BEGIN", begin).replace("ACTION", action).replace("CONDITION", condition));
        times.computeIfAbsent(what, _ -> new ArrayList<>())
                .add(took instanceof Number number ? number.doubleValue() : Double.NaN);
    }
}
