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
    private static final Path TLS = DTLS.resolveSibling("t13a.pcap");
    private static final String WRONG = "any AES_CM_128_HMAC_SHA1_80 inline:" + "A".repeat(40);
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

    private static double playedMs() {
        return Double.parseDouble(browser.one("#waveform").getAttribute("aria-valuenow"));
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
    void opensARegistrationAndItsMessagesByKeyboardOnly() throws Exception {
        browser.open(served.at("/registrations"));
        browser.one("#registrations .grid-row[data-key]");
        browser.type(Keys.ENTER);
        browser.await("the registration", () -> browser.address().contains("/registrations/"));
        assertThat(browser.text("#registration-head")).contains("alice", "The registrar accepted it.");
        browser.await(
                "the ladder", () -> browser.all("#ladder [id^=ladder-row-]").size() == 4);
        browser.type(Keys.ARROW_DOWN, Keys.ENTER);
        browser.await("the message in focus", () -> browser.is("document.activeElement.id === 'message-body'"));
        assertThat(browser.text("#message-title")).isEqualTo("401 Unauthorized");
        browser.isAccessible();
        browser.picture("registration-1400");
        browser.width(400);
        browser.fits();
        browser.picture("registration-400");
        browser.width(1400);
        browser.type(Keys.ESCAPE, Keys.ESCAPE);
        browser.await("the list", () -> browser.address().endsWith("/registrations"));
    }

    @Test
    void countsTheTotalsOfTheCallsThatFiltersLeave() {
        list("?number=bob");
        browser.await(
                "the attempts", () -> browser.text("#total-attempts .figure").equals("2"));
        browser.click("#filters-clear");
        browser.await(
                "those of all", () -> browser.text("#total-attempts .figure").equals("12"));
    }

    @Test
    void savesTheSelectedCallsInOneCapture() {
        list("");
        browser.run("""
            window.saved = [];
            HTMLAnchorElement.prototype.click = function() { window.saved.push(this.download); };
            """);
        browser.type(Keys.SPACE, Keys.SPACE, Keys.F2);
        browser.await("the notice", () -> browser.text(".notice").contains("Saved the packets of 2 calls."));
        assertThat(browser.run("return window.saved")).isEqualTo(List.of("calls-2.pcapng"));
    }

    @Test
    void linksFromStatisticsToWhatTheyCountInTheirTime() {
        browser.open(served.at("/statistics?from=2026-11-21T12:20:00Z"));
        browser.click("#statistics-codecs a");
        browser.await("10 streams", () -> browser.text("#stream-count").equals("10 streams"));
        assertThat(browser.text(".chips")).contains("codec: PCMA", "from: ");
        browser.click(".chip");
        browser.await("one filter", () -> browser.all(".chip").size() == 1);
        browser.open(served.at("/streams?codec=G722"));
        browser.await("none", () -> browser.text("#streams").contains("No stream matches these filters."));
    }

    @Test
    void linksToAMessageOfACall() {
        list("?text=alice");
        browser.type(Keys.ENTER);
        browser.one("#ladder [id^=ladder-row-]");
        browser.run("Object.defineProperty(navigator, 'clipboard',"
                + " {value: {writeText: text => { window.copied = text; return Promise.resolve(); }}})");
        browser.type(Keys.ARROW_DOWN, Keys.ARROW_DOWN);
        browser.await("the message", () -> browser.text("#message-title").equals("180 Ringing"));
        browser.click("#copy-link");
        browser.await("the link", () -> browser.is("window.copied"));
        String link = String.valueOf(browser.run("return window.copied"));
        assertThat(link).contains("/calls/", "#packet-");
        browser.open("about:blank");
        browser.open(link);
        browser.await("its message", () -> browser.text("#message-title").equals("180 Ringing"));
    }

    @Test
    void sortsByKeyboardAndOnNarrowScreens() {
        list("");
        browser.type(">");
        browser.await("by caller", () -> browser.address().endsWith("?sort=-from"));
        browser.type("z");
        browser.await("the other way round", () -> browser.address().endsWith("?sort=from"));
        browser.await(
                "the first caller",
                () -> browser.text("#calls .grid-row.active").contains("+12025550171"));
        browser.width(400);
        browser.one("#calls-order option[value='-worstMos']").click();
        browser.await("by MOS", () -> browser.address().endsWith("?sort=-worstMos"));
        browser.fits();
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
            browser.run("arguments[0].focus()", browser.one("#waveform"));
            browser.type(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
            assertThat(playedMs()).isEqualTo(4000);
            browser.type(Keys.SPACE);
            browser.await("the audio from there on", () -> playedMs() > 4200);
            browser.type(Keys.SPACE, Keys.ARROW_LEFT, Keys.ARROW_LEFT);
            assertThat(playedMs()).isGreaterThan(2000);
            browser.type(Keys.END);
            assertThat(browser.text("#audio-time")).startsWith("0:08 of 0:08");
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

    @Test
    void opensACaptureThatItsUserChooses() {
        list("");
        browser.one("#upload-file").sendKeys(LOSSY.toAbsolutePath().normalize().toString());
        browser.await("its calls", () -> browser.address().contains("in=") && rows() == 1);
        assertThat(browser.text("#upload-banner")).contains("lossy.pcap");
        browser.click("#upload-remove");
        browser.await("the calls of the server", () -> !browser.address().contains("in=") && rows() == 12);
    }

    @Test
    void saysWhyACaptureHasNoCalls() throws Exception {
        try (Served encrypted = Served.start(TLS.toString())) {
            browser.open(encrypted.at("/"));
            browser.await(
                    "why",
                    () -> browser.text("#calls")
                            .contains("No calls in t13a.pcap.\nNo SIP was found in 21 packets.\n1 TLS stream"));
            browser.isAccessible();
            browser.picture("empty-1400");
            browser.open("about:blank");
        }
    }

    @Test
    void saysThatListeningIsOffWithoutAskingForAudio() throws Exception {
        try (Served silent = Served.start(LOSSY.toString())) {
            browser.open(silent.at("/"));
            browser.click("#calls .grid-row[data-key]");
            assertThat(browser.text("#audio-refused")).startsWith("Listening is off: offhook serve --allow-audio");
            browser.hadNoErrors();
            browser.open("about:blank");
        }
    }

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
            browser.one("#keys-text").sendKeys(WRONG);
            browser.click("#keys-send");
            browser.await(
                    "that they are wrong",
                    () -> browser.text("#keys-banner").startsWith("Your keys open nothing of this call"));
            assertThat(browser.text("#keys-notes")).contains("its keys are wrong");
            browser.click("#keys-forget");
            browser.await("the call without keys", () -> !browser.address().contains("in="));
            browser.click("#add-keys");
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
            browser.open("about:blank"); // a page whose server is gone says so, again and again
            browser.forgetErrors(); // refusals, which the browser reports
        }
    }

    @Test
    void showsAlertsAndTheSizeOfTheDatabaseOnTheSystemPage() {
        browser.open(served.at("/system"));
        browser.await(
                "the alerts", () -> browser.text("#system-alerts").contains("No rules: alerts in the configuration"));
        assertThat(browser.text("#system-store")).containsPattern("Size\\s+[0-9.]+ [kM]B");
    }

    /** A browser opens six connections to a server, and events take one each. */
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
