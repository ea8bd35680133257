package io.offhook.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.traffic.CallPlan;
import io.offhook.testkit.traffic.SentCodec;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The page of calls that have a relay, a hold, a fax, or a codec that cannot be heard. */
@DisabledIf(
        value = "io.offhook.browser.Browser#isMissing",
        disabledReason = "chromium or chromium-driver is not installed")
@Timeout(300)
class CallPageTest {
    private static final String PHONE = "Phone 1.0";

    @TempDir
    private static Path folder;

    private static Served served;
    private static Browser browser;

    @BeforeAll
    static void open() throws Exception {
        Path file = new Traffic(5)
                .every(2000)
                .call(call -> call.from("held")
                        .to("holder")
                        .software(Party.CALLER, PHONE)
                        .proxies(1)
                        .relayed()
                        .rtcp(reports -> reports.intervalMs(4000))
                        .media(Party.CALLEE, shape -> shape.loss(0.02))
                        .answered()
                        .talk(8000)
                        .hold(Party.CALLEE, CallPlan.HoldStyle.SENDONLY, 4000)
                        .talk(4000)
                        .hangUp(Party.CALLEE))
                .call(call -> call.from("fax")
                        .to("machine")
                        .answered()
                        .talk(2000)
                        .fax(3000)
                        .hangUp(Party.CALLER))
                .call(call -> call.from("quiet").to("bob").codec(SentCodec.G729).completed(Party.CALLER, 2000))
                .capture()
                .writeTo(folder.resolve("calls.pcap"));
        served = Served.start(file.toString(), "--allow-audio");
        browser = Browser.start();
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

    @AfterEach
    void hadNoErrors() {
        browser.hadNoErrors();
    }

    private static void call(String from) {
        browser.open(served.at("/?number=" + from));
        browser.one("#calls .grid-row[data-key]");
        browser.type(Keys.ENTER);
        browser.one("#ladder [id^=ladder-row-]");
    }

    /** Both sides count their requests from 1: an INVITE is no answer to the INVITE of the other side. */
    @Test
    void pairsOffersWithTheirAnswersAfterAHold() {
        call("held");
        assertThat(browser.all("#sdp-exchange option"))
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(exchange -> assertThat(exchange.getText()).contains("INVITE · SDP", " / 200 OK · SDP"));
        assertThat(browser.text("#sdp-table")).contains("Answer: 200 OK", "accepted", "both ways");
        call("fax");
        assertThat(browser.text("#sdp-table"))
                .contains("Answer: 200 OK", "PCMA/8000")
                .doesNotContain("no codec in common");
    }

    @Test
    void placesHoldsAndProblemsAtThePartyAndNotAtTheRelay() {
        call("held");
        Object columns = browser.run("""
            const lines = [...document.querySelectorAll('#ladder .life')].map(line => Number(line.getAttribute('x1')));
            return [...document.querySelectorAll('#ladder .arrow.hold .flag')].map(flag =>
                lines.indexOf(Number(/M([\\d.]+)/.exec(flag.getAttribute('d'))[1])));
            """);
        assertThat(String.valueOf(columns)).isEqualTo("[2, 2]");
    }

    @Test
    void namesTheSoftwareOfThePartiesOnly() {
        call("held");
        Object software = browser.run(
                "return [...document.querySelectorAll('.ladder-host span')].map(host => host.textContent).slice(0, 2)");
        assertThat(String.valueOf(software)).isEqualTo("[" + PHONE + ", ]");
    }

    @Test
    void countsPlotsFromTheFirstMessageAsTheLadderDoes() {
        call("held");
        browser.run("arguments[0].scrollIntoView()", browser.one("offhook-plot.plot-loss"));
        browser.await("the plot", () -> browser.is("document.querySelector('offhook-plot.plot-loss').chart"));
        assertThat(browser.run("""
            const axis = document.querySelector('offhook-plot.plot-loss').chart.scales.x;
            return axis.ticks.map(tick => tick.label).join(' ') + ' ' + axis.options.title.text;
            """)).asString().matches("0:05 0:10 0:15 Time since the first message of the call");
    }

    @Test
    void makesTheAudioAgainWhenACallIsOver() {
        call("held");
        browser.one("#waveform");
        // again until it is seen, since the page may give the view its call anew between the two
        browser.await("the second waveform", () -> {
            browser.run("""
                const view = document.querySelector('offhook-audio-view');
                const call = view.call;
                view.call = {...call, running: true};
                view.updateComplete.then(() => { view.call = {...call, running: false}; });
                """);
            return browser.is("performance.getEntriesByType('resource')"
                    + ".filter(one => one.name.includes('/waveform')).length >= 2");
        });
    }

    @Test
    void saysWhichCodecCannotBeHeard() {
        call("quiet");
        browser.await(
                "why",
                () -> browser.text("#audio-refused").matches("This call has no audio that can be played: .*G729.*\\."));
    }
}
