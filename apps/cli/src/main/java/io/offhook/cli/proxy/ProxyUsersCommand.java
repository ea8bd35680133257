package io.offhook.cli.proxy;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.proxy.users.UserFileEditor;
import io.offhook.proxy.users.UserFileException;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code offhook proxy users add|remove|list}: changes the user file of the proxy, which reads it again by itself. A password
 * is read from the terminal without echo, or from standard input, and never from the command line, which others can see.
 */
public final class ProxyUsersCommand implements Command {
    /** The columns of CSV. */
    static final List<String> COLUMNS = List.of("name", "realm", "md5");

    /** Asks on a terminal, without echo. */
    @FunctionalInterface
    interface PasswordPrompt {
        /** Null if standard input is no terminal. */
        char @Nullable [] ask(String prompt);
    }

    private final PasswordPrompt prompt;

    public ProxyUsersCommand() {
        this(ProxyUsersCommand::askConsole);
    }

    ProxyUsersCommand(PasswordPrompt prompt) {
        this.prompt = prompt;
    }

    @SuppressWarnings("SystemConsoleNull") // in JDK 25, null again if there is no terminal
    private static char @Nullable [] askConsole(String prompt) {
        java.io.Console console = System.console();
        return console == null || !console.isTerminal() ? null : console.readPassword("%s", prompt);
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameters(
                "ACTION",
                "add NAME: adds a user, or changes its password, which is read from the terminal or from standard input;"
                        + " alice@example.com is alice in the realm example.com."
                        + " remove NAME: removes a user. list: lists the users.");
        spec.addOption("-f", "--file", "FILE", String.class, "The user file; created for its owner only.");
        spec.addOption(
                "--realm",
                "REALM",
                String.class,
                "The realm of the user: the proxy's domain, unless its configuration names another one. Default: what is behind"
                        + " the @ of NAME.");
        spec.addFlag(
                "--without-md5",
                "Stores no key for MD5, so that only phones that know SHA-256 can log in as this user.");
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        String file = arguments.optionValue("--file", String.class);
        if (file == null) {
            throw new MisuseException("--file is missing: the user file, as users.file of the configuration names it");
        }
        List<String> words = arguments.parametersFrom(0);
        UserFileEditor editor = new UserFileEditor(Path.of(file));
        try {
            switch (words.getFirst()) {
                case "add" -> add(Named.of(name(words), arguments), editor, arguments, terminal);
                case "remove" -> remove(Named.of(name(words), arguments), editor, terminal);
                case "list" -> {
                    if (words.size() > 1) {
                        throw new MisuseException(words.get(1) + " is one argument too many");
                    }
                    list(editor.list(), OutputOptions.of(arguments), terminal);
                }
                default -> throw new MisuseException(words.getFirst() + " is not one of add, remove, list");
            }
            return ExitCode.DONE;
        } catch (UserFileException e) {
            throw new MisuseException(e.faults());
        } catch (UserFileEditor.Failure e) {
            terminal.error(String.valueOf(e.getMessage()));
            return ExitCode.UNREADABLE;
        }
    }

    private static String name(List<String> words) {
        if (words.size() != 2) {
            throw new MisuseException(
                    words.size() < 2 ? "NAME is missing" : words.get(2) + " is one argument too many");
        }
        return words.get(1);
    }

    /** Whom the command line names: "alice" and --realm, or "alice@example.com". */
    private record Named(String name, @Nullable String realm) {
        static Named of(String word, ParseResult arguments) {
            String realm = arguments.optionValue("--realm", String.class);
            int at = word.lastIndexOf('@');
            boolean isWhole = realm == null && at > 0 && at < word.length() - 1;
            return isWhole ? new Named(word.substring(0, at), word.substring(at + 1)) : new Named(word, realm);
        }
    }

    private void add(Named named, UserFileEditor editor, ParseResult arguments, Terminal terminal) throws IOException {
        String name = named.name();
        String realm = named.realm();
        if (realm == null) {
            throw new MisuseException("the realm is missing: write " + Text.printable(name)
                    + "@REALM, or use --realm; the key of a user holds for one realm only");
        }
        boolean hasMd5 = !arguments.hasMatchedOption("--without-md5");
        boolean isNew;
        try {
            isNew = editor.add(name, realm, password(name, terminal), hasMd5);
        } catch (IllegalArgumentException e) {
            throw new MisuseException(String.valueOf(e.getMessage()));
        }
        terminal.out()
                .append(isNew ? "added " : "changed the password of ")
                .append(Text.printable(name))
                .append(" in realm ")
                .append(Text.printable(realm))
                .append('\n');
    }

    private String password(String name, Terminal terminal) throws IOException {
        char[] first = prompt.ask("Password of " + Text.printable(name) + ": ");
        if (first == null) {
            String line = new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8)).readLine();
            if (line == null) {
                throw new MisuseException("standard input holds no password: it is read from its first line");
            }
            return line;
        }
        char[] again = prompt.ask("Again: ");
        boolean isSame = Arrays.equals(first, again);
        String password = new String(first);
        Arrays.fill(first, ' ');
        if (again != null) {
            Arrays.fill(again, ' ');
        }
        if (!isSame) {
            throw new MisuseException("the passwords differ; nothing was changed");
        }
        return password;
    }

    private static void remove(Named named, UserFileEditor editor, Terminal terminal) throws IOException {
        String name = named.name();
        String asked = named.realm();
        List<String> realms = editor.list().stream()
                .filter(user -> user.name().equals(name)
                        && (asked == null || user.realm().equals(asked)))
                .map(UserFileEditor.Listed::realm)
                .toList();
        if (realms.size() > 1) {
            throw new MisuseException(name + " is a user in " + String.join(", ", realms) + "; --realm says in which");
        }
        if (realms.isEmpty() || !editor.remove(name, realms.getFirst())) {
            throw new MisuseException(
                    "there is no user " + name + (asked == null ? "" : " in realm " + asked) + " in " + editor.path());
        }
        terminal.out()
                .append("removed ")
                .append(Text.printable(name))
                .append(" in realm ")
                .append(Text.printable(realms.getFirst()))
                .append('\n');
    }

    private static void list(List<UserFileEditor.Listed> users, OutputOptions output, Terminal terminal)
            throws IOException {
        switch (output.format()) {
            case TABLE -> {
                Table table = new Table(List.of(
                        Table.Column.key("User", 12), Table.Column.key("Realm", 12), Table.Column.text("Keys", 80, 7)));
                for (UserFileEditor.Listed user : users) {
                    table.row().cell(user.name()).cell(user.realm()).cell(user.hasMd5() ? "SHA-256, MD5" : "SHA-256");
                }
                table.print(terminal, terminal.isColored(output.color()));
            }
            case JSON -> {
                try (JsonFields json = terminal.json()) {
                    json.object().array("users");
                    for (UserFileEditor.Listed user : users) {
                        json.line().object();
                        write(json, user);
                        json.end();
                    }
                    json.line().end().end();
                }
            }
            case CSV -> {
                CsvFields csv = terminal.csv(COLUMNS);
                for (UserFileEditor.Listed user : users) {
                    write(csv, user);
                    csv.endRecord();
                }
            }
        }
        terminal.flush();
    }

    private static void write(FieldWriter fields, UserFileEditor.Listed user) {
        fields.field("name", user.name()).field("realm", user.realm()).field("md5", user.hasMd5());
    }
}
