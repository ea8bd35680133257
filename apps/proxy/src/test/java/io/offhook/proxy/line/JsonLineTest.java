package io.offhook.proxy.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JsonLineTest {
    private final JsonLine json = new JsonLine();

    @Test
    void nestsObjectsAndArrays() {
        json.object().field("a", 1).array("list").element("x").element("y");
        json.object().field("b", true).end().end();
        json.object("inner").end().field("none", (String) null).end();
        assertThat(json).hasToString("{\"a\":1,\"list\":[\"x\",\"y\",{\"b\":true}],\"inner\":{},\"none\":null}");
    }

    @Test
    void isTheSameWhenItIsUsedAgain() {
        json.object().array("open").element("x");
        json.clear().object().field("a", 1).end();
        assertThat(json).hasToString("{\"a\":1}");
    }

    @Test
    void escapesWhatWouldSteerATerminalOrEndTheLine() {
        json.object()
                .field("text", "\u001b[31m\r\n\t\"\\ \u007f \u202e \u2028 \ud83d\ude00 \udb40\udc41 \ud800x é")
                .end();
        assertThat(json)
                .hasToString("{\"text\":\"\\u001b[31m\\r\\n\\t\\\"\\\\ \\u007f \\u202e \\u2028 \ud83d\ude00"
                        + " \\udb40\\udc41 \\ud800x é\"}");
    }

    @Test
    void writesDecimalsWithoutZerosAtTheEnd() {
        json.object()
                .field("a", 1.50, 3)
                .field("b", 2.0, 3)
                .field("c", -0.0001, 2)
                .field("d", Double.NaN, 1)
                .field("e", 1e9, 0)
                .end();
        assertThat(json).hasToString("{\"a\":1.5,\"b\":2,\"c\":0,\"d\":null,\"e\":1000000000}");
    }

    @Test
    void refusesToCloseWhatIsNotOpen() {
        assertThatThrownBy(json::end).isInstanceOf(IllegalStateException.class);
    }
}
