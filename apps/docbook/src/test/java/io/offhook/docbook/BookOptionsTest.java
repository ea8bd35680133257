package io.offhook.docbook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BookOptionsTest {
    @Test
    void hasDefaults() throws OptionException {
        assertThat(BookOptions.parse("")).isEqualTo(BookOptions.DEFAULT);
        assertThat(BookOptions.parse(",")).isEqualTo(BookOptions.DEFAULT);
    }

    @Test
    void takesAllOptionsAtOnce() throws OptionException {
        assertThat(BookOptions.parse("title=A = B\\, C \\\\,split=package,toc=files,detached=hide"))
                .isEqualTo(new BookOptions("A = B, C \\", BookOptions.Split.PACKAGE, BookOptions.Toc.FILES, false, ""));
        assertThat(BookOptions.parse("split=file,toc=none,detached=show"))
                .isEqualTo(new BookOptions(
                        "Protocol documentation", BookOptions.Split.FILE, BookOptions.Toc.NONE, true, ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "split=chapter | split=chapter: use one of none, file, package",
                "split=FILE | split=FILE: use one of none, file, package",
                "split | split=: use one of none, file, package",
                "toc=yes | toc=yes: use one of none, files, types",
                "detached=no | detached=no: use one of show, hide",
                "title= | title= needs a text",
                "markdown= | markdown= needs the name of a file, such as EVENTS.md",
                "markdown=a.md,split=file | markdown= is one document, which split= cannot divide",
                "toc=none,toc=none | the option toc is given twice",
                "title=a,b | there is no option b; there are title, split, toc, detached and markdown (a comma within a title is"
                        + " written \\,)"
            })
    void refusesWhatItDoesNotKnow(String parameter, String message) {
        assertThatThrownBy(() -> BookOptions.parse(parameter))
                .isInstanceOf(OptionException.class)
                .hasMessage(message);
    }
}
