package io.offhook.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Offhook;
import org.junit.jupiter.api.Test;

class BrowseCommandTest {
    private static final String CALLS = "../../samples/calls.pcap";

    @Test
    void withoutATerminalItNamesTheCommandThatNeedsNone() {
        Offhook.Result result = Offhook.run("browse", CALLS);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("standard output is none", "offhook calls");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void capturesFromStandardInputAreRefused() {
        Offhook.Result result = new Offhook().onTerminal(80).with("browse", "-");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("keys from standard input");
    }

    @Test
    void aWrongOptionIsSaidBeforeAnythingIsDrawn() {
        Offhook.Result result = new Offhook().onTerminal(80).with("browse", CALLS, "--outcome", "bussy");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("bussy is not an outcome");
        assertThat(result.out()).isEmpty();
    }
}
