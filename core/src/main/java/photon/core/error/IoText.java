package photon.core.error;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a failure of files or connections means, without the name of a class. */
public final class IoText {
    private IoText() {}

    /** In one line. Java's own messages are often a path alone. */
    public static String of(IOException failure) {
        if (failure instanceof FileSystemException file) {
            return ofFile(file);
        }
        String whole = failure.getMessage();
        String message = firstLines(whole);
        Throwable cause = failure.getCause();
        if (message != null && cause instanceof IOException below && !message.isEmpty()) {
            // Java makes the message of the cause's class and message where none was given.
            return cause.toString().equals(whole) ? of(below) : message + ": " + of(below);
        }
        return message == null || message.isEmpty() ? "reading or writing failed" : message;
    }

    /** Of its cause, behind its own words if it has some. */
    public static String of(UncheckedIOException failure) {
        return of(new IOException(failure.getMessage(), failure.getCause()));
    }

    /** Hadoop's messages go on with the calls of the server's thread. */
    private static @Nullable String firstLines(@Nullable String message) {
        if (message == null || message.indexOf('\n') < 0) {
            return message;
        }
        return message.lines()
                .takeWhile(line -> !line.startsWith("\tat "))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(": "));
    }

    private static String ofFile(FileSystemException failure) {
        String file = failure.getFile() == null ? "a file" : failure.getFile();
        if (failure instanceof NoSuchFileException) {
            return file + " does not exist";
        }
        if (failure instanceof AccessDeniedException) {
            return file + " may not be read or written: permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return file + " exists already";
        }
        if (failure instanceof NotDirectoryException) {
            return file + " is not a directory";
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return file + " is not empty";
        }
        return failure.getReason() == null ? file + " failed" : file + ": " + failure.getReason();
    }
}
