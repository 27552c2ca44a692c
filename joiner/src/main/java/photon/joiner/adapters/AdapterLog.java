package photon.joiner.adapters;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Writes what an adapter says into Photon's log. The JDK's interface, so that none is shared. */
final class AdapterLog implements System.Logger {
    private final Logger to;

    AdapterLog(Logger to) {
        this.to = to;
    }

    @Override
    public String getName() {
        return to.getName();
    }

    @Override
    public boolean isLoggable(Level level) {
        return level != Level.OFF && to.isEnabledForLevel(slf4j(level));
    }

    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String message,
            @Nullable Throwable thrown) {
        if (isLoggable(level)) {
            to.atLevel(slf4j(level)).setCause(thrown).log(String.valueOf(message));
        }
    }

    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String format,
            @Nullable Object @Nullable ... values) {
        if (isLoggable(level)) {
            String text = String.valueOf(format);
            to.atLevel(slf4j(level))
                    .log(
                            values == null || values.length == 0
                                    ? text
                                    : MessageFormat.format(text, values));
        }
    }

    private static org.slf4j.event.Level slf4j(Level level) {
        return switch (level) {
            case ERROR, OFF -> org.slf4j.event.Level.ERROR;
            case WARNING -> org.slf4j.event.Level.WARN;
            case INFO -> org.slf4j.event.Level.INFO;
            case DEBUG -> org.slf4j.event.Level.DEBUG;
            case TRACE, ALL -> org.slf4j.event.Level.TRACE;
        };
    }
}
