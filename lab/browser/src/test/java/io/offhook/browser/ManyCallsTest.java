package io.offhook.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.traffic.Traffic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Of a long list only the rows in view are on the page, and they are the right ones. */
@DisabledIf(
        value = "io.offhook.browser.Browser#isMissing",
        disabledReason = "chromium or chromium-driver is not installed")
@Timeout(300)
class ManyCallsTest {
    private static final int CALLS = 6000;
    private static final int MOST_ROWS = 120;

    @TempDir
    private Path folder;

    /** The callers alternate between ends of the alphabet, so that their order is another than that of time. */
    private static String caller(int call) {
        return String.format(Locale.ROOT, call % 2 == 0 ? "a%05d" : "z%05d", call);
    }

    private Path capture() throws Exception {
        Traffic traffic = new Traffic(4).every(10);
        for (int i = 0; i < CALLS; i++) {
            String user = caller(i);
            boolean isBusy = i % 3 == 0;
            traffic.call(call -> call.from(user)
                    .to("bob")
                    .invite()
                    .rejected(isBusy ? 486 : 404, isBusy ? "Busy Here" : "Not Found"));
        }
        return traffic.capture().writeTo(folder.resolve("many.pcap"));
    }

    /** The callers of the rows in view, from the top. */
    private static List<String> callers(Browser browser) {
        List<String> callers = new ArrayList<>();
        Object found = browser.run("""
            const list = document.querySelector('#calls .grid-scroll').getBoundingClientRect();
            const head = document.querySelector('#calls .grid-head').getBoundingClientRect();
            return [...document.querySelectorAll('#calls .grid-row[data-key]')]
                .filter(row => row.getBoundingClientRect().top >= head.bottom - 1
                    && row.getBoundingClientRect().bottom <= list.bottom + 1)
                .map(row => row.children[1].textContent.trim());
            """);
        for (Object caller : found instanceof List<?> list ? list : List.of()) {
            callers.add(String.valueOf(caller));
        }
        return callers;
    }

    private static void await(Browser browser, String first, String second) {
        browser.await(first + " above " + second, () -> {
            List<String> callers = callers(browser);
            return callers.size() > 1 && callers.subList(0, 2).equals(List.of(first, second));
        });
        assertThat(browser.all("#calls .grid-row")).hasSizeLessThan(MOST_ROWS);
    }

    private static void awaitLast(Browser browser, String last) {
        browser.await(last + " at the end", () -> {
            List<String> callers = callers(browser);
            return !callers.isEmpty() && callers.getLast().equals(last);
        });
    }

    private static void awaitCount(Browser browser, String count) {
        browser.await(count, () -> browser.text("#call-count").equals(count));
    }

    @Test
    void hasTheRightRowsWhereverOneLooks() throws Exception {
        try (Served served = Served.start(capture().toString());
                Browser browser = Browser.start()) {
            browser.open(served.at("/"));
            awaitCount(browser, "6,000 calls");
            await(browser, caller(5999), caller(5998));
            browser.type(Keys.END);
            awaitLast(browser, caller(0));
            WebElement active = browser.one("#calls .grid-row.active");
            assertThat(active.getAttribute("aria-rowindex")).isEqualTo("6001");
            browser.run("document.querySelector('#calls .grid-scroll').scrollTop = 3000 * 28");
            await(browser, caller(2999), caller(2998));
            browser.click("#calls [data-sort=from]");
            await(browser, caller(0), caller(2));
            browser.click("#calls [data-sort=from]");
            await(browser, caller(5999), caller(5997));
            browser.type(Keys.END);
            awaitLast(browser, caller(0));
            browser.type("/", "z01");
            awaitCount(browser, "500 calls");
            await(browser, caller(1999), caller(1997));
            browser.open(served.at("/?outcome=busy&sort=firstSeenAt"));
            awaitCount(browser, "2,000 calls");
            await(browser, caller(0), caller(3));
            browser.type(Keys.PAGE_DOWN, Keys.PAGE_DOWN, Keys.PAGE_DOWN);
            List<String> callers = callers(browser);
            for (int i = 1; i < callers.size(); i++) {
                int before = Integer.parseInt(callers.get(i - 1).substring(1));
                assertThat(callers.get(i)).isEqualTo(caller(before + 3));
            }
            browser.hadNoErrors();
        }
    }
}
