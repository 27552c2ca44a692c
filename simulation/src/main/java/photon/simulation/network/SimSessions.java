package photon.simulation.network;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.core.rpc.SessionCaller;
import photon.core.rpc.SessionHandler;
import photon.simulation.kernel.Life;

/**
 * One client's sessions with one server: in order both ways, until a side ends or hears nothing.
 */
final class SimSessions<Q, R> implements SessionCaller<Q, R> {
    private static final long RETRANSMIT_NANOS = 500_000_000L;
    private static final long GIVE_UP_MIN_NANOS = 10_000_000_000L;
    private static final long GIVE_UP_SPREAD_NANOS = 90_000_000_000L;

    private final Network network;
    private final Life client;
    private final String clientHost;
    private final EventLoop loop;
    private final String serverHost;
    private final String method;
    private final Supplier<@Nullable Server<Q, R>> servers;
    private final Set<Connection> open = new LinkedHashSet<>();

    /** Who serves the method now. */
    record Server<Q, R>(Life life, EventLoop loop, SessionHandler<Q, R> handler) {}

    SimSessions(
            Network network,
            Life client,
            String clientHost,
            EventLoop loop,
            String serverHost,
            String method,
            Supplier<@Nullable Server<Q, R>> servers) {
        this.network = network;
        this.client = client;
        this.clientHost = clientHost;
        this.loop = loop;
        this.serverHost = serverHost;
        this.method = method;
        this.servers = servers;
    }

    @Override
    public Session<Q> open(Listener<R> listener) {
        client.checkAlive();
        Connection connection = new Connection(listener);
        open.add(connection);
        client.onEnd(connection::clientGone);
        connection.there.send(connection::connect);
        return connection;
    }

    @Override
    public void close() {
        new LinkedHashSet<>(open).forEach(Connection::close);
    }

    /** One way of a connection: messages in order, each sent again until it arrives. */
    private final class Way {
        private final String from;
        private final String to;
        private final Runnable giveUp;
        private final long patienceNanos =
                GIVE_UP_MIN_NANOS + network.random().nextLong(GIVE_UP_SPREAD_NANOS);
        private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
        private boolean moving;
        private boolean shut;
        private long stuckSinceNanos = -1;

        Way(String from, String to, Runnable giveUp) {
            this.from = from;
            this.to = to;
            this.giveUp = giveUp;
        }

        void send(Runnable message) {
            if (!shut) {
                queue.add(message);
                move();
            }
        }

        private void move() {
            if (!moving && !queue.isEmpty()) {
                moving = true;
                long delay = network.delayNanos(from, to);
                network.timeline().at(network.timeline().nowNanos() + delay, this::arrive);
            }
        }

        private void arrive() {
            moving = false;
            if (shut) {
                return;
            }
            long now = network.timeline().nowNanos();
            if (network.links().copies(from, to) > 0) {
                stuckSinceNanos = -1;
                queue.remove().run();
                move();
                return;
            }
            stuckSinceNanos = stuckSinceNanos < 0 ? now : stuckSinceNanos;
            if (now - stuckSinceNanos > patienceNanos) {
                giveUp.run();
                return;
            }
            moving = true;
            network.timeline().at(now + RETRANSMIT_NANOS, this::arrive);
        }

        void shut() {
            shut = true;
            queue.clear();
        }
    }

    private final class Connection implements Session<Q> {
        private final Listener<R> listener;
        private final Way there = new Way(clientHost, serverHost, () -> broken("no answer"));
        private final Way back = new Way(serverHost, clientHost, this::serverGivesUp);
        private boolean clientOpen = true;
        private boolean serverOpen;
        private @Nullable Server<Q, R> server;
        private SessionHandler.@Nullable Session<Q> session;

        Connection(Listener<R> listener) {
            this.listener = listener;
        }

        /** At the server. */
        private void connect() {
            Server<Q, R> found = servers.get();
            if (found == null) {
                back.send(() -> broken("connection refused"));
                return;
            }
            server = found;
            serverOpen = true;
            found.life.onEnd(this::serverGone);
            found.loop.execute(
                    () ->
                            session =
                                    found.handler.opened(
                                            answer -> {
                                                if (found.life.alive() && serverOpen) {
                                                    network.sent(
                                                            serverHost, clientHost, method, answer);
                                                    back.send(() -> received(answer));
                                                }
                                            }));
        }

        @Override
        public void send(Q message) {
            client.checkAlive();
            if (clientOpen) {
                network.sent(clientHost, serverHost, method, message);
                there.send(() -> inServer(opened -> opened.received(message)));
            }
        }

        private void inServer(java.util.function.Consumer<SessionHandler.Session<Q>> work) {
            Server<Q, R> at = server;
            if (at != null) {
                at.loop.execute(
                        () -> {
                            if (session != null) {
                                work.accept(session);
                            }
                        });
            }
        }

        private void received(R answer) {
            loop.execute(
                    () -> {
                        if (clientOpen) {
                            listener.received(answer);
                        }
                    });
        }

        /** Seen by the client. */
        private void broken(String why) {
            there.shut();
            loop.execute(
                    () -> {
                        if (clientOpen) {
                            end();
                            listener.broken(why);
                        }
                    });
            // The server's side hears of it when something of its own finds nobody there.
            long later = network.random().nextLong(GIVE_UP_SPREAD_NANOS);
            network.timeline().at(network.timeline().nowNanos() + later, this::clientLost);
        }

        private void end() {
            clientOpen = false;
            open.remove(this);
            there.shut();
        }

        @Override
        public void close() {
            if (clientOpen) {
                clientOpen = false;
                open.remove(this);
                there.send(this::clientLost);
            }
        }

        /** The client's process has ended: its machine tells the server as soon as it can. */
        private void clientGone() {
            if (clientOpen) {
                clientOpen = false;
                open.remove(this);
                there.send(this::clientLost);
            }
        }

        /** Seen by the server. */
        private void clientLost() {
            if (serverOpen) {
                serverOpen = false;
                back.shut();
                inServer(SessionHandler.Session::closed);
            }
        }

        private void serverGone() {
            if (serverOpen) {
                serverOpen = false;
                session = null;
                back.shut();
                reset();
            }
        }

        private void serverGivesUp() {
            clientLost();
            reset();
        }

        /** The client learns of the server's end as soon as its machine can be reached. */
        private void reset() {
            long now = network.timeline().nowNanos();
            if (network.reaches(serverHost, clientHost)) {
                long delay = network.delayNanos(serverHost, clientHost);
                network.timeline().at(now + delay, () -> broken("connection reset"));
            } else {
                network.timeline().at(now + RETRANSMIT_NANOS, this::reset);
            }
        }
    }
}
