package io.offhook.store;

import io.offhook.calls.CallReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * A database of calls. What one {@link #store} is given is there as a whole or, if the process ends meanwhile, not at all; a
 * call that is stored again, as it has gone on or its capture is read anew, takes the place of what was there, as does one
 * for the calls that turned out to be its legs. One process at a time can open a database to write.
 *
 * <p>All methods may be called by any thread; those that write wait for each other.
 */
public final class CallStore implements AutoCloseable {
    private static final Pattern HOLDER = Pattern.compile("(?s)Conflicting lock is held in (.*?) \\(PID (\\d+)\\)");

    /** How DuckDB's messages about values and statements begin. */
    private static final Pattern OF_STATEMENTS = Pattern.compile(
            "(Conversion|Constraint|Invalid Input|Invalid|Binder|Catalog|Parser|Mismatch Type|Out of Range|Not"
                    + " implemented) Error");

    private final String name;
    private final @Nullable Path file;
    private final StoreSettings settings;
    private final Access access;
    private final List<Path> allowed = new ArrayList<>();
    private final @Nullable Archive archive;
    private final Set<Connection> readers = new HashSet<>();
    /** What is written: a live capture and the loading of a file may take turns. */
    private final Object writing = new Object();

    private @Nullable String viewsToRead;
    private int missingFiles;
    private DuckDBConnection connection;
    private @Nullable BatchWriter writer;
    private boolean isBroken;

    /** Whether a database is made, and changed. */
    private enum Access {
        WRITE,
        READ
    }

    private CallStore(@Nullable Path file, StoreSettings settings, Access access, List<Path> writable)
            throws StoreException {
        name = file == null ? "the database in memory" : file.toString();
        this.file = file;
        this.settings = settings;
        this.access = access;
        archive = file == null ? null : new Archive(ArchiveFolder.of(file));
        allowed.addAll(writable);
        if (archive != null) {
            allowed.add(archive.folder().path());
        }
        connection = connect();
    }

    /**
     * Opens a database, or makes one, with the mode that the process gives to files.
     *
     * @param file where it is; DuckDB keeps a log beside it, with {@code .wal} after its name
     * @throws StoreException if it is no such database, of a later version, or open in another process, which is named
     */
    public static CallStore open(Path file, StoreSettings settings) throws StoreException {
        return new CallStore(file, settings, Access.WRITE, List.of());
    }

    /**
     * Opens a database that is there, and leaves it as it is; several processes can do so at a time.
     *
     * @throws StoreException as {@link #open}
     */
    public static CallStore openToRead(Path file, StoreSettings settings) throws StoreException {
        return openToRead(file, settings, List.of());
    }

    /**
     * As {@link #openToRead}, for an export.
     *
     * @param writable folders to which this process may write, besides
     */
    static CallStore openToRead(Path file, StoreSettings settings, List<Path> writable) throws StoreException {
        if (!Files.exists(file)) {
            throw new StoreException(file + " cannot be opened: there is no such file");
        }
        return new CallStore(file, settings, Access.READ, writable);
    }

    /** Makes a database that is gone when it is closed. */
    public static CallStore inMemory(StoreSettings settings) throws StoreException {
        return new CallStore(null, settings, Access.WRITE, List.of());
    }

    private DuckDBConnection connect() throws StoreException {
        DuckDBConnection opened = null;
        try {
            Path path = file == null ? null : file.toAbsolutePath();
            opened = (DuckDBConnection) DriverManager.getConnection(
                    "jdbc:duckdb:" + (path == null ? "" : path), settings.properties(path, access == Access.READ));
            for (String sql : StoreSettings.confinement(allowed)) {
                Archive.execute(opened, sql);
            }
            if (access == Access.READ) {
                prepareToRead(opened);
            } else {
                prepareToWrite(opened);
            }
            return opened;
        } catch (SQLException e) {
            closeQuietly(opened);
            throw opening(e);
        } catch (StoreException e) {
            closeQuietly(opened);
            throw new StoreException(name + " cannot be opened: " + e.getMessage(), e);
        } catch (IOException e) {
            closeQuietly(opened);
            throw new StoreException(
                    name + " cannot be opened: its Parquet files cannot be read: " + e.getMessage(), e);
        }
    }

    private void prepareToRead(Connection opened) throws SQLException, StoreException {
        if (Schema.check(opened) >= Schema.FIRST_WITH_FILES && archive != null) {
            viewsToRead = Archive.viewsToRead(opened, archive.folder());
        }
    }

    private void prepareToWrite(DuckDBConnection opened) throws SQLException, StoreException, IOException {
        Schema.bringUpToDate(opened);
        if (archive != null) {
            missingFiles = archive.open(opened);
        }
        writer = new BatchWriter(opened, archive);
    }

    /** The Parquet files of this database; null if it is in memory. */
    @Nullable
    Archive archive() {
        return archive;
    }

    /**
     * How many Parquet files this database had that were not beside it when it was opened: somebody deleted them, or moved the
     * database without them. It goes on without their rows.
     */
    public int missingFiles() {
        return missingFiles;
    }

    /** Whether rows of old days are in Parquet files beside it. */
    public boolean hasFiles() {
        return viewsToRead != null || archive != null && archive.hasFiles();
    }

    private StoreException opening(SQLException e) {
        Matcher holder = HOLDER.matcher(String.valueOf(e.getMessage()));
        if (holder.find()) {
            return new StoreHeldException(name, holder.group(1), Long.parseLong(holder.group(2)), e);
        }
        return failure("cannot be opened", e);
    }

    private static void closeQuietly(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException _) {
                // what is thrown says why
            }
        }
    }

    private StoreException failure(String what, SQLException e) {
        return new StoreException(name + " " + what + ": " + e.getMessage(), e);
    }

    /** Identifies a call in all tables: positive, the same whenever its capture is read. */
    public static long id(CallReport call) {
        return Ids.call(call);
    }

    /**
     * Stores calls with their legs, problems, streams and intervals.
     *
     * @param source the capture that they were found in
     * @param calls each once
     * @throws StoreException if nothing of it was stored; the database can still be used
     */
    public void store(String source, Collection<CallReport> calls) throws StoreException {
        Batch batch = new Batch();
        for (CallReport call : calls) {
            batch.add(Batch.PendingCall.of(call, source));
        }
        write(batch);
    }

    /**
     * Writes a batch.
     *
     * @throws StoreException if nothing of it was written
     */
    void write(Batch batch) throws StoreException {
        synchronized (writing) {
            writeAlone(batch);
        }
    }

    private void writeAlone(Batch batch) throws StoreException {
        if (isBroken) {
            reopen();
        }
        BatchWriter current = writer;
        if (current == null) {
            throw new IllegalStateException(name + " was opened to read");
        }
        try {
            current.write(batch);
        } catch (SQLException e) {
            isBroken = !isUsable();
            throw new StoreException(name + " was not written: " + e.getMessage(), e, !isOfTheBatch(e));
        }
    }

    /** Whether the error is about values or statements, and not about the disk, memory or other transactions. */
    private static boolean isOfTheBatch(SQLException e) {
        return OF_STATEMENTS.matcher(String.valueOf(e.getMessage())).lookingAt();
    }

    /** After some errors, a full disk for example, DuckDB refuses everything until the database is opened anew. */
    private boolean isUsable() {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT schema_version FROM offhook")) {
            return result.next();
        } catch (SQLException _) {
            return false;
        }
    }

    private synchronized void reopen() throws StoreException {
        writer = null;
        closeReaders();
        closeQuietly(connection);
        connection = connect();
        isBroken = false;
    }

    /**
     * A connection for queries, which sees what was stored before each of them. It is not read-only by itself: who lets others
     * type SQL uses {@code query.SqlSession}. To be closed by the caller; it ends with the store, too.
     *
     * @throws StoreException if the database cannot be used at the moment
     */
    public synchronized Connection reader() throws StoreException {
        try {
            for (Iterator<Connection> it = readers.iterator(); it.hasNext(); ) {
                if (it.next().isClosed()) {
                    it.remove();
                }
            }
            Connection reader = connection.duplicate();
            if (viewsToRead != null) {
                Archive.execute(reader, viewsToRead);
            }
            readers.add(reader);
            return reader;
        } catch (SQLException e) {
            throw failure("cannot be read", e);
        }
    }

    /** Where the database is; null for one in memory. */
    public @Nullable Path file() {
        return file;
    }

    private void closeReaders() {
        readers.forEach(CallStore::closeQuietly);
        readers.clear();
    }

    /** Closes the database; everything stored is in its file. */
    @Override
    public synchronized void close() throws StoreException {
        closeReaders();
        try {
            connection.close();
        } catch (SQLException e) {
            throw failure("was not closed", e);
        }
    }
}
