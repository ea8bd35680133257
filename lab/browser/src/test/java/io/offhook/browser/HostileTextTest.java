package io.offhook.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.traffic.SentCodec;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Markup and scripts in all that a phone can send are shown as text, on every page. */
@DisabledIf(
        value = "io.offhook.browser.Browser#isMissing",
        disabledReason = "chromium or chromium-driver is not installed")
@Timeout(300)
class HostileTextTest {
    private static final String NAME = "Eve <script>ran()</script>";
    private static final String USER = "<img/src=x/onerror=ran()//";
    private static final String CALLED = "'\"-ran()-'<svg/onload=ran()//";
    private static final String CALL_ID = "<script>ran()</script>@192.0.2.1";
    private static final String PHONE = "Phone <img src=x onerror=ran()> \u202e1.0";
    private static final String DESK = "</script><iframe srcdoc='<script>parent.ran()</script>'>{{7*7}}";
    private static final String SESSION = "</pre><script>ran()</script><base href=//evil.example>";
    private static final String CODEC = "<b>G<style>*{display:none}";
    private static final String HEADER = "<a href=\"javascript:ran()\">click</a>";

    @TempDir
    private static Path folder;

    private static Served served;
    private static Browser browser;

    @BeforeAll
    static void open() throws Exception {
        Path file = new Traffic(9)
                .call(call -> call.callId(CALL_ID)
                        .named(NAME)
                        .from(USER)
                        .to(CALLED)
                        .software(Party.CALLER, PHONE)
                        .software(Party.CALLEE, DESK)
                        .sessionName(SESSION)
                        .codec(new SentCodec(CODEC, 99, 8000, 1, 160, 20))
                        .header("INVITE", "Subject", HEADER)
                        .header("INVITE", "P-Asserted-Identity", "\"" + NAME + "\" <sip:" + USER + "@example.com>")
                        .header("INVITE", "Diversion", "\"" + NAME + "\" <sip:eve@example.com>;reason=<script>ran()")
                        .header("BYE", "Reason", "SIP;cause=16;text=\"<script>ran()</script>\"")
                        .answered()
                        .talk(2000)
                        .hangUp(Party.CALLER))
                .registration(USER, 200, PHONE)
                .capture()
                .writeTo(folder.resolve("<img src=x onerror=ran()>.pcap"));
        served = Served.start(file.toString());
        browser = Browser.start();
        browser.beforeEachPage("window.ran = () => { window.hasRun = true; };");
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

    /** The text is there, and it is nothing but text. */
    private static void isHarmless(String selector, String... texts) {
        for (String text : texts) {
            browser.await(text, () -> browser.content(selector).contains(text));
        }
        assertThat(browser.is("window.hasRun")).isFalse();
        assertThat(browser.run("""
            return [...document.querySelectorAll('*')].filter(element =>
                ['IFRAME', 'BASE', 'OBJECT', 'EMBED'].includes(element.tagName)
                || element.getAttributeNames().some(name => name.startsWith('on'))
                || /^javascript:/i.test(element.getAttribute('href') ?? '')
                || (element.tagName === 'IMG' && element.getAttribute('src') === 'x')
                || (element.tagName === 'SCRIPT' && element.textContent.includes('ran'))
                || (element.tagName === 'STYLE' && element.textContent.includes('display:none}'))
            ).map(element => element.outerHTML);
            """)).isEqualTo(List.of());
        // what the content security policy refuses would be one
        browser.hadNoErrors();
    }

    private static void list() {
        browser.open(served.at("/"));
        browser.one("#calls .grid-row[data-key]");
    }

    @Test
    void inTheListAndItsFilters() throws Exception {
        list();
        browser.run("document.querySelectorAll('#columns input:not(:checked)').forEach(box => box.click())");
        isHarmless("#calls", USER, CALLED, CALL_ID, CODEC, "Phone <img src=x onerror=ran()>", DESK);
        browser.picture("hostile-list-1400");
        browser.width(400);
        isHarmless("#calls", USER, CALLED);
        browser.width(1400);
        browser.open(served.at("/?text=%3Cscript%3Eran()%3C/script%3E&number=%22%3E%3Cimg%20src=x%20onerror=ran()%3E"));
        isHarmless("#main", "No call matches");
    }

    @Test
    void onThePageOfACallAndInItsMessages() throws Exception {
        list();
        browser.type(Keys.ENTER);
        isHarmless("#call-head", USER, CALLED, CALL_ID, CODEC, "Phone <img src=x onerror=ran()>", DESK);
        browser.await(
                "the ladder", () -> browser.all("#ladder [id^=ladder-row-]").size() >= 7);
        assertThat(browser.is("document.title.includes(arguments[0])", USER)).isTrue();
        browser.type(Keys.HOME);
        for (String tab : List.of("raw", "difference", "explained")) {
            browser.click("#tab-" + tab);
            isHarmless("#message-body", tab.equals("difference") ? "first message of its kind" : SESSION);
        }
        isHarmless("#message-body", NAME, HEADER, "s=" + SESSION, CODEC + "/8000");
        isHarmless("offhook-sdp-view", SESSION, CODEC);
        browser.picture("hostile-call-1400");
    }

    @Test
    void inTheImageOfALadder() {
        list();
        browser.type(Keys.ENTER);
        browser.await(
                "the ladder", () -> browser.all("#ladder [id^=ladder-row-]").size() >= 7);
        browser.run("""
            URL.createObjectURL = blob => { blob.text().then(text => window.saved = text); return 'blob:none'; };
            HTMLAnchorElement.prototype.click = () => {};
            """);
        browser.click("#export-svg");
        browser.await("the image", () -> browser.is("window.saved"));
        assertThat(browser.run("""
            const image = new DOMParser().parseFromString(window.saved, 'image/svg+xml');
            const names = [...image.querySelectorAll('*')].map(element => element.localName);
            return [...new Set(names)].sort().join(' ') + ': ' + image.documentElement.textContent;
            """))
                .asString()
                .startsWith("g line path rect svg text: ")
                .contains("<img src=x onerror=ran()>");
    }

    @Test
    void onAllOtherPages() throws Exception {
        browser.open(served.at("/streams"));
        isHarmless("#streams", CODEC);
        browser.open(served.at("/registrations"));
        isHarmless("#registrations", USER, "Phone <img src=x onerror=ran()>");
        browser.open(served.at("/statistics"));
        isHarmless("#main", DESK, "Phone <img src=x onerror=ran()>", CODEC);
        browser.open(served.at("/system"));
        isHarmless("#main", "<img src=x onerror=ran()>.pcap");
        browser.picture("hostile-system-1400");
    }

    @Test
    void inWhatTheServerAnswersDirectly() {
        for (String path : List.of("/api/v1/calls?sort=<script>ran()</script>", "/calls/<script>ran()</script>")) {
            browser.open(served.at(path.replace("<", "%3C").replace(">", "%3E")));
            assertThat(browser.is("window.hasRun")).as(path).isFalse();
            assertThat(Objects.toString(browser.run("return document.contentType")))
                    .isIn("application/json", "text/html");
        }
        browser.forgetErrors(); // neither exists
    }
}
