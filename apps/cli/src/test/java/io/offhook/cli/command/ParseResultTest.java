package io.offhook.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ParseResultTest {
    private static CommandSpec spec() {
        CommandSpec spec = new CommandSpec("offhook test", "A test.");
        spec.addParameter("ID", "one");
        spec.addParameters("FILE", "several");
        spec.addFlag("-v", "--verbose", "");
        spec.addFlag("-x", "--hex", "");
        spec.addOption("-w", "--write", "FILE", String.class, "");
        spec.addOption("--count", "N", Long.class, "");
        spec.addOption("--from", "TEXT", List.class, "");
        spec.addOption("--format", "F", Format.class, "");
        spec.addFlag("-h", "--help", "");
        return spec;
    }

    private static ParseResult parse(String... args) {
        return ParseResult.of(spec(), args);
    }

    private static void assertMisuse(String message, String... args) {
        assertThatThrownBy(() -> parse(args))
                .isInstanceOf(MisuseException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aCommandHasNoTwoOptionsOfOneName() {
        CommandSpec spec = spec();
        assertThatThrownBy(() -> spec.addOption("--from", "FORMAT", Format.class, ""))
                .hasMessage("offhook test has two options [--from]");
        assertThatThrownBy(() -> spec.addFlag("-v", "--version", "")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void optionsMayStandAnywhere() {
        ParseResult result = parse("--verbose", "id", "--count", "7", "a", "b", "--format=json");
        assertThat(result.hasMatchedOption("--verbose")).isTrue();
        assertThat(result.hasMatchedOption("--hex")).isFalse();
        assertThat(result.optionValue("--count", Long.class)).isEqualTo(7);
        assertThat(result.matchedOptionValue("--format", Format.TABLE)).isEqualTo(Format.JSON);
        assertThat(result.parameter(0)).isEqualTo("id");
        assertThat(result.parametersFrom(1)).containsExactly("a", "b");
    }

    @Test
    void shortFlagsCanBeCombinedAndEndWithAValue() {
        ParseResult result = parse("-vxwout", "id", "f");
        assertThat(result.hasMatchedOption("--verbose")).isTrue();
        assertThat(result.hasMatchedOption("--hex")).isTrue();
        assertThat(result.optionValue("--write", String.class)).isEqualTo("out");
        assertThat(parse("-xw", "out", "id", "f").optionValue("--write", String.class))
                .isEqualTo("out");
    }

    @Test
    void aValueMayLookLikeAnOption() {
        assertThat(parse("--write", "-", "id", "f").optionValue("--write", String.class))
                .isEqualTo("-");
        assertThat(parse("--from=--hex", "id", "f").matchedOptionValue("--from", List.of()))
                .containsExactly("--hex");
        assertMisuse("--from needs a value, TEXT", "--from", "--hex", "id", "f");
        assertMisuse("--from needs a value, TEXT", "id", "f", "--from");
    }

    @Test
    void treatsEverythingAfterTwoDashesAsParameters() {
        assertThat(parse("--", "-v", "--hex").parametersFrom(0)).containsExactly("-v", "--hex");
    }

    @Test
    void aDashIsAParameter() {
        assertThat(parse("id", "-").parametersFrom(1)).containsExactly("-");
    }

    @Test
    void lastValueAppliesUnlessRepeatable() {
        ParseResult result = parse("--format", "csv", "--format", "json", "--from", "a", "--from", "b", "id", "f");
        assertThat(result.matchedOptionValue("--format", Format.TABLE)).isEqualTo(Format.JSON);
        assertThat(result.matchedOptionValue("--from", List.of())).containsExactly("a", "b");
    }

    @Test
    void enumsAreCaseInsensitiveAndListedInErrors() {
        assertThat(parse("--format", "CSV", "id", "f").matchedOptionValue("--format", Format.TABLE))
                .isEqualTo(Format.CSV);
        assertMisuse("--format xml is not one of table, json, csv", "--format", "xml", "id", "f");
    }

    @Test
    void errorsNameTheArgument() {
        assertMisuse("there is no option --verbos; did you mean --verbose?", "--verbos", "id", "f");
        assertMisuse("there is no option -q", "-q", "id", "f");
        assertMisuse("--verbose takes no value", "--verbose=yes", "id", "f");
        assertMisuse("--count many is not a whole number", "--count", "many", "id", "f");
        assertMisuse(
                "--count 99999999999999999999 is not a whole number in range",
                "--count",
                "99999999999999999999",
                "id",
                "f");
        assertMisuse("ID is missing");
        assertMisuse("FILE is missing", "id");
    }

    @Test
    void helpNeedsNoParameters() {
        assertThat(parse("-h").isUsageHelpRequested()).isTrue();
    }

    @Test
    void rejectsSurplusParameters() {
        CommandSpec spec = new CommandSpec("offhook test", "");
        spec.addParameter("DIR", "");
        assertThatThrownBy(() -> ParseResult.of(spec, new String[] {"a", "b"}))
                .isInstanceOf(MisuseException.class)
                .hasMessageContaining("b is one argument too many");
    }
}
