package io.offhook.proxy;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.book.CallBook;
import io.offhook.proxy.book.CallMessages;
import io.offhook.proxy.control.LiveBan;
import io.offhook.proxy.control.LiveBinding;
import io.offhook.proxy.control.LiveCall;
import io.offhook.proxy.control.LiveMessages;
import io.offhook.proxy.control.LiveState;
import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.limit.BadEvent;
import io.offhook.proxy.limit.BanTable;
import io.offhook.proxy.location.LocationStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What commands see of the proxy: copies that the lanes make between two messages. */
final class LiveProxy implements LiveState {
    private static final long PATIENCE_S = 5;

    private final List<ProxyLane> lanes;
    private final List<CallBook> books;
    private final MessageObservation messages;
    private final LocationStore location;
    private final BanTable bans;
    private final InstantSource clock;
    private final Supplier<Reload> reload;
    private final Consumer<Boolean> stop;

    /**
     * @param reload reads the configuration again
     * @param stop ends the process; true for at once
     */
    LiveProxy(
            List<ProxyLane> lanes,
            List<CallBook> books,
            MessageObservation messages,
            LocationStore location,
            BanTable bans,
            InstantSource clock,
            Supplier<Reload> reload,
            Consumer<Boolean> stop) {
        this.lanes = lanes;
        this.books = books;
        this.messages = messages;
        this.location = location;
        this.bans = bans;
        this.clock = clock;
        this.reload = reload;
        this.stop = stop;
    }

    @Override
    public List<LiveCall> calls(Predicate<LiveCall> condition, int most) {
        List<LiveCall> found = new ArrayList<>();
        for (ProxyLane lane : lanes) {
            CallBook book = books.get(lane.number());
            CompletableFuture<List<LiveCall>> answer = new CompletableFuture<>();
            lane.execute(_ -> answer.complete(book.calls(condition, most)));
            found.addAll(await(answer));
        }
        found.sort(Comparator.comparingLong(call -> call.progress().startedMs()));
        return found.size() > most ? found.subList(0, most) : found;
    }

    @Override
    public @Nullable LiveMessages messages(String callId) {
        for (ProxyLane lane : lanes) {
            CallMessages book = messages.ofLane(lane.number());
            if (book != null) {
                CompletableFuture<List<LiveMessages>> answer = new CompletableFuture<>();
                lane.execute(_ -> {
                    LiveMessages known = book.messages(callId);
                    answer.complete(known == null ? List.of() : List.of(known));
                });
                List<LiveMessages> found = await(answer);
                if (!found.isEmpty()) {
                    return found.getFirst();
                }
            }
        }
        return null;
    }

    /** Of a lane that does not answer in time, nothing is known. */
    private static <T> List<T> await(CompletableFuture<List<T>> answer) {
        try {
            return answer.get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    @Override
    public List<LiveBinding> bindings(Predicate<LiveBinding> condition, int most) {
        List<LiveBinding> found = new ArrayList<>();
        location.forEach(
                clock.millis(),
                (of, bindings) -> bindings.forEach(binding -> {
                    LiveBinding live = new LiveBinding(
                            of.uri(),
                            binding.contact(),
                            binding.source(),
                            binding.updatedAtMs(),
                            binding.expiresAtMs(),
                            binding.q(),
                            binding.userAgent());
                    if (found.size() < most && condition.test(live)) {
                        found.add(live);
                    }
                }));
        return found;
    }

    @Override
    public List<LiveBan> bans() {
        return bans.bans(clock.millis()).stream()
                .map(ban -> new LiveBan(ban.source(), reason(ban), ban.untilMs(), ban.dropped()))
                .toList();
    }

    private static String reason(BanTable.Ban ban) {
        BadEvent event = ban.event();
        return event == null
                ? "by command"
                : event.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    @Override
    public boolean ban(IpAddress address, long seconds) {
        long nowMs = clock.millis();
        return bans.ban(address, nowMs + seconds * 1000, nowMs);
    }

    @Override
    public boolean unban(IpAddress address) {
        return bans.lift(address);
    }

    @Override
    public Reload reload() {
        return reload.get();
    }

    @Override
    public void stop(boolean isNow) {
        stop.accept(isNow);
    }
}
