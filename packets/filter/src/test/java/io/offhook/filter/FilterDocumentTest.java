package io.offhook.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What docs/FILTER.md shows is so. */
class FilterDocumentTest {
    private static final int ETHERNET = 1;
    private static final int SUNATM = 123;

    private static String text = "";

    @BeforeAll
    static void read() throws IOException {
        text = Files.readString(Path.of("../../docs/FILTER.md"));
    }

    private static List<MatchResult> find(String pattern) {
        return Pattern.compile(pattern).matcher(text).results().toList();
    }

    private static BpfProgram compile(String expression) {
        int linkType = expression.startsWith("vpi") ? SUNATM : ETHERNET;
        boolean isNumber = expression.matches("[0-9].*");
        return FilterCompiler.compile(isNumber ? "ip[0] = " + expression : expression, linkType, 100);
    }

    @Test
    void whatIsToldToBeAnotherExpressionIsIt() {
        List<MatchResult> pairs = find("`([^`]+)` is `([^`]+)`");
        assertThat(pairs).hasSizeGreaterThanOrEqualTo(6);
        for (MatchResult pair : pairs) {
            assertThat(compile(pair.group(1))).as(pair.group()).isEqualTo(compile(pair.group(2)));
        }
    }

    @Test
    void expressionsInExamplesAreCompiled() {
        List<MatchResult> examples = find("(?:filter|of|compile)(?: |\\()['\"]([^'\"]+)['\"]");
        assertThat(examples).hasSizeGreaterThanOrEqualTo(5);
        for (MatchResult example : examples) {
            assertThat(compile(example.group(1)).length()).as(example.group(1)).isGreaterThan(2);
        }
    }

    @Test
    void valuesInTheTableAreCompiled() {
        MatchResult row = find("\\| values \\|.*: (`.*)\\|").getFirst();
        List<String> examples = new ArrayList<>();
        for (String example : row.group(1).split("`(?:, )?", -1)) {
            if (!example.isBlank()) {
                examples.add(example);
                assertThat(compile(example).length()).as(example).isGreaterThan(2);
            }
        }
        assertThat(examples).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void protocolsInTheTableAreThoseThatThereAre() {
        String row = find("\\| protocols alone \\| `([^`]*)`").getFirst().group(1);
        List<String> words = new ArrayList<>();
        for (KeywordProtocol protocol : KeywordProtocol.values()) {
            if (protocol != KeywordProtocol.ANY
                    && protocol != KeywordProtocol.LINK
                    && protocol != KeywordProtocol.RADIO) {
                words.add(protocol.word());
            }
        }
        assertThat(row.split(" ", -1)).containsExactlyInAnyOrderElementsOf(words);
    }

    @Test
    void messagesAreThoseThatAreShown() {
        List<MatchResult> messages = find("```\\n([a-zA-Z].*\\n  (.+)\\n +\\^)\\n```");
        assertThat(messages).hasSize(2);
        for (MatchResult message : messages) {
            FilterException fault = catchThrowableOfType(FilterException.class, () -> compile(message.group(2)));
            assertThat(fault).hasMessage(message.group(1));
        }
    }

    @Test
    void limitsAreThoseThatAreTold() {
        assertThat(text)
                .contains("characters of an expression | " + grouped(FilterCompiler.MAX_EXPRESSION_LENGTH))
                .contains("instructions that become bytecode | " + grouped(BpfCompiler.MAX_LENGTH))
                .contains("instructions of a program | " + grouped(BpfProgram.MAX_LENGTH))
                .contains("more than " + grouped(BpfProgram.MAX_KERNEL_LENGTH) + " instructions");
    }

    private static String grouped(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
