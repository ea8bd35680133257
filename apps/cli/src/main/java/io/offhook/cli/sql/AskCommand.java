package io.offhook.cli.sql;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.store.query.Question;
import java.io.IOException;
import java.util.List;

/** {@code offhook ask [NAME] [FILE...]}: asks what many ask. */
public final class AskCommand implements Command {
    private static final int SUMMARY_COLUMN = 22;

    @Override
    public void describe(CommandSpec spec) {
        spec.addOptionalParameters(
                "NAME",
                "The question; none: list them. Behind it: captures, whose calls are asked about, as offhook calls"
                        + " reads them; none: a database.");
        spec.addFlag("--print", "Print the question's SQL instead, to be changed and given to offhook sql.");
        SqlInput.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        List<String> words = arguments.parametersFrom(0);
        if (words.isEmpty()) {
            for (Question question : Question.all()) {
                StringBuilder line = new StringBuilder(question.name());
                line.repeat(' ', Math.max(1, SUMMARY_COLUMN - line.length()));
                terminal.out().append(line.append(question.summary())).append('\n');
            }
            return ExitCode.DONE;
        }
        Question question = Question.named(words.getFirst());
        if (question == null) {
            throw new MisuseException("there is no question " + words.getFirst() + "; there are "
                    + String.join(
                            ", ", Question.all().stream().map(Question::name).toList()));
        }
        if (arguments.hasMatchedOption("--print")) {
            terminal.out().append(question.sql());
            return ExitCode.DONE;
        }
        return SqlInput.run(question.sql(), words.subList(1, words.size()), arguments, terminal);
    }
}
