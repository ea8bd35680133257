package io.offhook.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.openqa.selenium.Keys;

/** Looking for bad calls on the page, by mouse and by keyboard. */
@DisabledIf(
        value = "io.offhook.browser.Browser#isMissing",
        disabledReason = "chromium or chromium-driver is not installed")
@Timeout(300)
class PageTest {
    private static final String CALLS = "../../samples/calls.pcap";
    private static final Path DTLS = Path.of("../../voip/decrypt/src/test/resources/decrypt/dtls.pcap");
    private static final Path LOSSY = Path.of("../../samples/lossy.pcap");

    private static Served served;
    private static Browser browser;

    @BeforeAll
    static void open() throws Exception {
        served = Served.start(CALLS, "--allow-audio");
        browser = Browser.start();
    }

    @AfterEach
    void hadNoErrors() {
        browser.hadNoErrors();
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
        if (served != null) {
            served.close();
        }
    }

    private static void list(String query) {
        browser.open(served.at("/" + query));
        browser.await("rows", () -> !browser.all("#calls .grid-row[data-key]").isEmpty());
    }

    private static int rows() {
        return Integer.parseInt(browser.one("#calls [role=grid]").getAttribute("aria-rowcount")) - 1;
    }

    @Test
    void listsCallsWithTheirVerdicts() throws Exception {
        list("");
        browser.await("12 calls", () -> rows() == 12);
        assertThat(browser.text("#calls")).contains("unavailable (404)");
        assertThat(browser.text("#total-asr .figure")).startsWith("58");
        browser.isAccessible();
        browser.picture("calls-1400");
        browser.width(400);
        browser.fits();
        browser.isAccessible();
        browser.picture("calls-400");
        browser.width(1400);
    }

    @Test
    void keepsFiltersInTheAddress() {
        list("");
        browser.click("#filter-bad");
        browser.await("2 bad calls", () -> rows() == 2);
        assertThat(browser.address()).contains("bad=true");
        list("?number=bob");
        browser.await("the filter of the address", () -> rows() > 0 && rows() < 12);
    }

    @Test
    void opensACallAndItsMessagesByKeyboardOnly() throws Exception {
        list("");
        browser.type("/", "alice", Keys.ESCAPE);
        browser.await("the filter", () -> rows() == 1);
        browser.type(Keys.ENTER);
        browser.await("the call", () -> browser.address().contains("/calls/"));
        assertThat(browser.text("#call-head")).contains("alice", "bob");
        browser.await(
                "the ladder", () -> browser.all("#ladder [id^=ladder-row-]").size() >= 7);
        browser.type(Keys.HOME, Keys.ENTER);
        browser.await("the message in focus", () -> browser.is("document.activeElement.id === 'message-body'"));
        assertThat(browser.text("#message-title")).startsWith("INVITE");
        assertThat(browser.text("#message-body")).contains("Call-ID");
        browser.type(Keys.ESCAPE, Keys.ARROW_DOWN);
        browser.await("the next message", () -> browser.text("#message-title").equals("100 Trying"));
        browser.isAccessible();
        browser.picture("call-1400");
        browser.width(400);
        browser.fits();
        browser.isAccessible();
        browser.picture("call-400");
        browser.width(1400);
        browser.type(Keys.ESCAPE);
        browser.await("the list", () -> !browser.address().contains("/calls/") && rows() == 1);
        assertThat(browser.is("document.activeElement.closest('#calls')")).isTrue();
    }

    @Test
    void plotsWhatWasLostAndPlaysIt() throws Exception {
        try (Served lossy = Served.start(LOSSY.toString(), "--allow-audio")) {
            browser.open(lossy.at("/"));
            browser.click("#calls .grid-row[data-key]");
            assertThat(browser.text("#verdict")).contains("lost");
            browser.run("arguments[0].scrollIntoView()", browser.one("offhook-plot.plot-loss"));
            browser.await(
                    "the data of the plot",
                    () -> browser.is("document.querySelector('offhook-plot.plot-loss').chart?.data.datasets"
                            + ".some(set => set.data.some(point => (point.y ?? point) > 0))"));
            browser.run("arguments[0].scrollIntoView()", browser.one("#waveform"));
            browser.picture("lossy-1400");
            browser.click("#play");
            browser.await("the audio", () -> !browser.text("#audio-time").startsWith("0:00.0"));
            browser.isAccessible();
            browser.width(400);
            browser.fits();
            browser.run("arguments[0].scrollIntoView()", browser.one("#waveform"));
            browser.picture("lossy-400");
            browser.width(1400);
            browser.open("about:blank"); // a page whose server is gone says so, again and again
        }
    }

    @Test
    void showsADroppedCaptureApart() throws Exception {
        list("");
        String bytes = Base64.getEncoder().encodeToString(Files.readAllBytes(LOSSY));
        browser.run("""
            const data = new DataTransfer();
            data.items.add(new File([Uint8Array.from(atob(arguments[0]), c => c.charCodeAt(0))], 'lossy <b>.pcap'));
            for (const kind of ['dragover', 'drop']) {
              window.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
            }
            """, bytes);
        browser.await("its calls", () -> browser.address().contains("in=") && rows() == 1);
        assertThat(browser.text("#upload-banner")).contains("lossy <b>.pcap");
        browser.click("#upload-back");
        browser.await("the calls of the server", () -> !browser.address().contains("in=") && rows() == 12);
    }

    /** A browser opens six connections to a server, and events take one each. */
    @Test
    void decryptsACallWithKeysThatItsUserPastes() throws Exception {
        try (Served encrypted = Served.start(DTLS.toString(), "--allow-audio")) {
            browser.open(encrypted.at("/"));
            browser.click("#calls .grid-row[data-key]");
            assertThat(browser.text("#audio-refused")).contains("encrypted; no key");
            browser.click("#add-keys");
            browser.isAccessible();
            browser.type("no key");
            browser.click("#keys-send");
            assertThat(browser.text("#keys-error")).contains("there is no key in it");
            browser.one("#keys-text").clear();
            browser.one("#keys-text").sendKeys(Files.readString(DTLS.resolveSibling("dtls.keys")));
            browser.click("#keys-send");
            browser.await("the view", () -> browser.address().contains("in=k"));
            browser.await(
                    "what the keys open", () -> browser.text("#keys-notes").contains("26 of 26 packets opened"));
            browser.one("#waveform");
            browser.isAccessible();
            browser.picture("keys-1400");
            browser.click("#keys-forget");
            browser.await("the call without keys", () -> !browser.address().contains("in="));
            assertThat(browser.text("#audio-refused")).contains("encrypted; no key");
            browser.forgetErrors(); // refusals, which the browser reports
        }
    }

    @Test
    void staysUsableInManyTabsAndAfterManyPages() {
        List<String> tabs = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            tabs.add(browser.newTab());
            list("?number=bob");
        }
        for (int i = 0; i < 8; i++) {
            list("?limit=" + i);
        }
        browser.hadNoErrors();
        tabs.forEach(browser::closeTab);
    }

    @Test
    void hasAllOtherPagesInLightAndDark() throws Exception {
        for (String page : List.of("streams", "registrations", "statistics", "system")) {
            browser.open(served.at("/" + page));
            browser.one("#main h1, #main h2");
            browser.await(page, () -> browser.text("#main").length() > 100);
            browser.isAccessible();
            browser.picture(page + "-1400");
            browser.width(400);
            browser.fits();
            browser.isAccessible();
            browser.picture(page + "-400");
            browser.width(1400);
        }
        list("");
        browser.run("localStorage.clear()");
        for (int i = 0; i < 3 && !browser.is("document.documentElement.dataset.theme === 'dark'"); i++) {
            browser.click("#theme");
        }
        assertThat(browser.is("document.documentElement.dataset.theme === 'dark'"))
                .isTrue();
        browser.isAccessible();
        browser.picture("calls-dark-1400");
        browser.run("localStorage.clear()");
    }
}
