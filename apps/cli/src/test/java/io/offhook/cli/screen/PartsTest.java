package io.offhook.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.screen.LineDifference.Change;
import io.offhook.cli.screen.LineDifference.Line;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The small parts that pages are made of. */
class PartsTest {
    @Test
    void columnsAreApartAndWithinThePage() {
        for (int width = 60; width <= 250; width++) {
            int end = 0;
            for (ListColumns.Place place : new ListColumns(width, 6, true, "Loss %").places()) {
                assertThat(place.start()).as("%s at %d", place, width).isGreaterThanOrEqualTo(end);
                end = place.end() + 1;
            }
            assertThat(end - 1).isEqualTo(width);
        }
    }

    @Test
    void aRowThatMovesStaysWhereItIsOnThePage() {
        Scroll scroll = new Scroll();
        scroll.to(50, 100, 10);
        scroll.on(Key.of(Key.Kind.UP), 100, 10);
        assertThat(scroll.cursor() - scroll.top(10)).isEqualTo(8);
        scroll.follow(69, 120);
        assertThat(scroll.cursor()).isEqualTo(69);
        assertThat(scroll.cursor() - scroll.top(10)).isEqualTo(8);
        scroll.follow(2, 3);
        assertThat(scroll.cursor()).isEqualTo(2);
        assertThat(scroll.top(10)).isBetween(0, 2);
    }

    @Test
    void sparklinesShowTheWorstOfWhatSharesASign() {
        double[] values = {0, 0, 0, 8, Double.NaN, Double.NaN, 4, 4};
        assertThat(Sparkline.of(values, 4, 0, 8, false, true)).isEqualTo("▁█ ▅");
        assertThat(Sparkline.of(values, 8, 0, 8, false, false)).isEqualTo("___#  ==");
        assertThat(Sparkline.of(new double[] {4.4, 1.0, 3}, 1, 1, 4.5, true, true))
                .isEqualTo("▁");
    }

    @Test
    void differencesKeepTheOrderOfLines() {
        assertThat(LineDifference.of(List.of("a", "b", "c"), List.of("a", "x", "c", "d")))
                .containsExactly(
                        new Line(Change.SAME, "a"),
                        new Line(Change.GONE, "b"),
                        new Line(Change.NEW, "x"),
                        new Line(Change.SAME, "c"),
                        new Line(Change.NEW, "d"));
    }

    @Test
    void headersAreExplainedInAnyFormOfTheirName() {
        HeaderNotes notes = new HeaderNotes();
        assertThat(notes.of("VIA")).isEqualTo(notes.of("v")).contains("RFC 3261, 20.42");
        assertThat(notes.of("X-Unheard-Of")).isNull();
    }

    /** The page of {@code offhook serve} and the terminal explain alike. */
    @Test
    void headersAreExplainedAsOnThePageInTheBrowser() throws Exception {
        String page = Files.readString(Path.of("../web/src/main/resources/io/offhook/web/page/headers.js"));
        Matcher entry = Pattern.compile("^ {2}'?([\\w-]+)'?: \\['([^']*)', [`']([^`']*)[`']],$", Pattern.MULTILINE)
                .matcher(page.substring(page.indexOf("const HEADERS"), page.indexOf("const PARAMETERS")));
        HeaderNotes notes = new HeaderNotes();
        int count = 0;
        while (entry.find()) {
            String place = entry.group(3).replace("${SIP}", "RFC 3261");
            assertThat(notes.of(entry.group(1)))
                    .isEqualTo(entry.group(2).replace('’', '\'') + (place.isEmpty() ? "" : " (" + place + ")"));
            count++;
        }
        assertThat(count).isGreaterThan(60);
    }

    @ParameterizedTest
    @CsvSource({"0;15, true", "15;0, false", "0;default;7, true", "12;8, false", "nonsense, false", "0;9, true"})
    void knowsALightBackground(String colours, boolean isLight) {
        assertThat(BrowseCommand.isLight(colours)).isEqualTo(isLight);
    }

    @Test
    void withoutAVariableTheBackgroundIsTakenForDark() {
        assertThat(BrowseCommand.isLight(null)).isFalse();
    }
}
