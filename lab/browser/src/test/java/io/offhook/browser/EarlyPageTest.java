package io.offhook.browser;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;

/** A page that is opened before the server has the calls. */
@DisabledIf(
        value = "io.offhook.browser.Browser#isMissing",
        disabledReason = "chromium or chromium-driver is not installed")
@Timeout(300)
class EarlyPageTest {
    /** The first list has no calls: it was made a moment before they were there, which nothing but the first event says. */
    private static final String EARLY = """
            const real = window.fetch;
            let isFirst = true;
            window.fetch = async (...request) => {
              const response = await real(...request);
              if (!isFirst || !String(request[0]).includes('/api/v1/calls?')) {
                return response;
              }
              isFirst = false;
              const answer = {...await response.json(), calls: [], total: 0};
              return new Response(JSON.stringify(answer), {headers: response.headers});
            };
            """;

    @Test
    void showsTheCallsThatCameBeforeItsFirstEvent() throws Exception {
        try (Served served = Served.start("../../samples/calls.pcap");
                Browser browser = Browser.start()) {
            browser.beforeEachPage(EARLY);
            browser.open(served.at("/"));
            browser.await(
                    "12 calls", () -> browser.all("#calls .grid-row[data-key]").size() == 12);
            browser.hadNoErrors();
        }
    }
}
