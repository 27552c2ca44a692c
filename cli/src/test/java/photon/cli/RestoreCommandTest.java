package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a restore that failed says of the registry; {@code RegistryRestoreTest} runs them. */
class RestoreCommandTest {
    @Test
    void afterItsBeginNobodyIsToldThatNothingWasChanged() {
        assertThat(RestoreCommand.notRestored(false, "it is damaged"))
                .hasMessage("not restored, nothing was changed: it is damaged");
        assertThat(RestoreCommand.notRestored(true, "no answer"))
                .hasMessageStartingWith("not restored: no answer. ")
                .hasMessageContaining("run it again")
                .hasMessageNotContaining("nothing was changed");
    }
}
