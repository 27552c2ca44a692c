package photon.simulation.bugs;

import static java.util.Map.entry;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which test catches a planted bug that no world does: what the bug breaks lies below the simulator
 * (members, feature levels), or comes together in a world too seldom.
 */
final class CaughtByTests {
    private static final Map<String, TestName> TESTS = new HashMap<>();

    private CaughtByTests() {}

    static {
        in(
                "photon.joiner.UnmatchedTest",
                Map.ofEntries(
                        entry(
                                "unmatched-though-not-all-is-read",
                                "whereTheEventStoreHasNotReadAllAMissSaysNothing"),
                        entry("unmatched-by-the-time-of-the-answer", "theTimeIsThatOfTheQuestion"),
                        entry(
                                "unmatched-by-a-clock-alone",
                                "aClockThatIsNotSynchronisedEndsNoWait")));
        in(
                "photon.eventstore.tail.PrimaryIndexerTest",
                Map.ofEntries(
                        entry(
                                "unmatched-by-a-progress-of-before",
                                "allIsReadAsLongAsThatIsLookedAt")));
        in(
                "photon.storage.tail.AbsentFilesTest",
                Map.ofEntries(
                        entry(
                                "unmatched-while-a-log-is-away",
                                "aLogThatVanishedWhileItWasWrittenToIsAwayForAWhile")));
        in(
                "photon.eventstore.lookup.LookupServiceTest",
                Map.ofEntries(
                        entry(
                                "unmatched-since-the-answer-was-full",
                                "aMissIsFinalOnlyWhereAllIsReadAndNothingWasLeftOut")));
        in(
                "photon.dispatcher.StateEntranceTest",
                Map.ofEntries(
                        entry("state-divided-anew", "aDividedStateStaysDividedAsItWasMade"),
                        entry(
                                "state-that-is-here-declared-lost",
                                "aStateThatIsHereIsNotDeclaredLost"),
                        entry(
                                "state-without-its-journal-is-used",
                                "aStateWithoutItsJournalIsNotTheRegisteredOne")));
        in(
                "photon.dispatcher.flow.FlowTest",
                Map.ofEntries(
                        entry(
                                "gated-for-too-long-and-forgotten",
                                "anEventStoreThatComesNoFurtherStopsNobodyForLong"),
                        entry(
                                "sent-before-a-checkpoint-names-its-file",
                                "noEventIsSentBeforeACheckpointNamesItsFile")));
        in(
                "photon.storage.lease.PartitionLeasesTest",
                Map.ofEntries(
                        entry(
                                "lease-number-below-an-owner",
                                "itsNumberIsAboveThatOfEveryOwnerBefore"),
                        entry(
                                "lease-not-waited-for",
                                "whoSleepsIsFollowedWithHigherNumbersAndStopsWhenItWakes"),
                        entry(
                                "lease-lost-and-not-noticed",
                                "whoSleepsIsFollowedWithHigherNumbersAndStopsWhenItWakes"),
                        entry(
                                "lease-expired-and-not-noticed",
                                "whoCannotRenewStopsBeforeAnotherMayTakeOver"),
                        entry(
                                "partition-given-back-before-its-work-has-ended",
                                "aPartitionIsTakenOnlyWhenTheWorkOnItHasEnded"),
                        entry(
                                "partition-not-given-back-after-a-failure",
                                "whatCouldNotBeGivenBackIsGivenBackLater")));
        in(
                "photon.storage.lease.ShareRuleTest",
                Map.ofEntries(
                        entry(
                                "partition-of-an-earlier-life-kept",
                                "whatAnEarlierLifeHadBeyondTheShareIsGivenToOthers"),
                        entry(
                                "partition-beyond-the-share-kept",
                                "eachComesToItsShareAndThenNothingMoves"),
                        entry(
                                "partition-of-a-dead-node-left",
                                "whatADeadOneHadIsTakenAfterItsTermAndNotBefore")));
        in(
                "photon.storage.tail.LogPartitionTest",
                Map.ofEntries(
                        entry(
                                "log-in-another-partition-on-each-machine",
                                "aNewNameOrAnotherMachinesNumberForTheDeviceChangesNothing")));
        in(
                "photon.dispatcher.flow.PartitionWorkTest",
                Map.ofEntries(
                        entry(
                                "partition-of-a-lost-state-worked-on",
                                "aStateThatIsNotRegisteredAnyMoreStopsTheProcess"),
                        entry(
                                "end-of-a-partition-forgotten-that-begins",
                                "whatShallEndBeforeItHasBegunEnds")));
        in(
                "photon.storage.lease.MemoryLeaseTest",
                Map.ofEntries(
                        entry(
                                "lease-number-given-twice",
                                "aTakingWhoseVersionIsDamagedDoesNotGiveItsNumberToTheNext")));
        in(
                "photon.dispatcher.flow.StateFilesTest",
                Map.ofEntries(
                        entry(
                                "late-number-claims-the-checkpoint",
                                "aNumberThatComesLateClaimsNothing"),
                        entry(
                                "journal-read-before-the-claim",
                                "anOwnerThatWorksOnDuringATakeOverLosesNothing"),
                        entry(
                                "journal-read-once-though-it-changes",
                                "aSegmentThatGoesWhileTheJournalIsReadIsNoFailure"),
                        entry(
                                "segments-of-a-later-owner-deleted",
                                "aTakeOverThatStallsAnywhereNeverSealsTheSegmentOfOneThatOwnsTheCheckpoint"),
                        entry(
                                "stalled-owners-checkpoint-accepted",
                                "aTakeOverThatStallsAnywhereNeverSealsTheSegmentOfOneThatOwnsTheCheckpoint"),
                        entry(
                                "take-over-without-claim",
                                "aTakeOverThatStallsAnywhereNeverSealsTheSegmentOfOneThatOwnsTheCheckpoint")));
        in(
                "photon.eventstore.index.FileLogIndexModelTest",
                Map.ofEntries(
                        entry(
                                "older-event-of-a-key-found-first",
                                "whatIsThereIsThePutsUpToAPointAndTheirPositions"),
                        entry(
                                "older-event-of-a-key-kept-in-a-merge",
                                "whatIsThereIsThePutsUpToAPointAndTheirPositions"),
                        entry(
                                "segment-deleted-before-its-drop-is-durable",
                                "whatIsThereIsThePutsUpToAPointAndTheirPositions")));
        in(
                "photon.eventstore.index.FileLogIndexRulesTest",
                Map.ofEntries(
                        entry("batches-behind-damage-count", "batchesBehindDamageDoNotCount"),
                        entry(
                                "changed-part-is-believed",
                                "aPlaceThatTheDiskHasChangedIsAnErrorAndNoAbsence"),
                        entry("deleted-part-is-absence", "aLookupUnderWhichPartsAreMergedFindsAll"),
                        entry("name-of-a-part-not-synced", "aPowerCutLeavesNoPartToBeWrittenAnew"),
                        entry(
                                "part-named-before-it-is-durable",
                                "aPowerCutLeavesNoPartToBeWrittenAnew"),
                        entry(
                                "segment-as-old-as-its-last-batch",
                                "aSegmentIsAsOldAsItsNewestEventWhereverThatStands")));
        in(
                "photon.eventstore.index.FileLogIndexTest",
                Map.ofEntries(
                        entry(
                                "found-at-a-start-and-not-durable",
                                "whatAStartHasFoundSurvivesAPowerCut"),
                        entry(
                                "one-event-from-the-future-keeps-its-segment",
                                "anEventFromTheFutureDoesNotKeepItsSegment"),
                        entry("missing-segment-unnoticed", "aMissingSegmentCountsAsDamage"),
                        entry(
                                "second-table-frozen-over-the-first",
                                "aTableThatIsBeingSealedIsStillFound"),
                        entry(
                                "table-forgotten-before-its-part",
                                "aTableThatIsBeingSealedIsStillFound")));
        in(
                "photon.eventstore.tail.IndexRetentionTest",
                Map.ofEntries(
                        entry(
                                "boundary-not-passed-on",
                                "nothingIsDroppedBeforeABoundaryWasHeardOf"),
                        entry(
                                "dropped-before-a-repair-has-joined-it",
                                "whatARepairMayStillJoinIsKept"),
                        entry(
                                "dropped-by-a-clock-that-may-be-wrong",
                                "nothingIsDroppedWhileTheClockMayBeWrong"),
                        entry(
                                "primary-events-kept-for-one-retention",
                                "whatNothingCanJoinAnyMoreIsDroppedAgainAndAgain")));
        in(
                "photon.idregistry.batch.CommitBatcherTest",
                Map.ofEntries(
                        entry(
                                "not-leader-after-submit-is-a-failure",
                                "aFailedEntryIsUnknownToEachCallerAndAskingAgainSettlesIt"),
                        entry(
                                "unlimited-commit-queue",
                                "tooMuchWaitingIsRefusedAndNothingOfItIsKept")));
        in(
                "photon.idregistry.control.ControlStateTest",
                Map.ofEntries(
                        entry(
                                "registering-does-not-fence",
                                "aProcessThatRegistersAfreshFencesBothSlots")));
        in(
                "photon.idregistry.control.MemberRulesTest",
                Map.ofEntries(
                        entry(
                                "blank-disk-understands-what-the-lost-one-did",
                                "aServerThatIsAwaitedOrAddedHoldsTheLevelAndOneThatIsRemovedDoesNot"),
                        entry(
                                "feature-level-falls",
                                "aServerThatIsAwaitedOrAddedHoldsTheLevelAndOneThatIsRemovedDoesNot"),
                        entry(
                                "feature-level-of-the-first-that-tells",
                                "aFeatureLevelIsWrittenWhenEveryServerHasToldThatItUnderstandsIt"),
                        entry(
                                "half-of-the-disks-replaced-at-once",
                                "twoOfThreeAreNotReplacedAtOnce"),
                        entry(
                                "lost-disk-comes-back",
                                "aBlankDiskComesWhenTheOneBeforeIsDeclaredLost"),
                        entry(
                                "upgrade-finalizes-itself",
                                "beyondTheThirdLevelAnOperatorRaisesItAndUntilThenAllMayGoBack"),
                        entry(
                                "upgrade-finalized-too-early",
                                "beyondTheThirdLevelAnOperatorRaisesItAndUntilThenAllMayGoBack"),
                        entry("older-software-let-in", "whoUnderstandsLessThanIsWrittenIsNotLetIn"),
                        entry(
                                "removed-server-holds-the-level",
                                "aServerThatIsAwaitedOrAddedHoldsTheLevelAndOneThatIsRemovedDoesNot")));
        in(
                "photon.idregistry.control.RetirementRulesTest",
                Map.ofEntries(
                        entry(
                                "retired-by-a-journal-of-before",
                                "aRowThatMayHaveComeBehindTheLookAtTheJournalChangesNothing"),
                        entry(
                                "retired-with-incarnations-open",
                                "whatIsOpenMayHoldEventsThatNobodyElseWrites")));
        in(
                "photon.idregistry.control.StateRulesTest",
                Map.ofEntries(
                        entry(
                                "repaired-with-rows-in-any-state",
                                "rowsInAnotherThanTheRegisteredStateRepairNothing")));
        in(
                "photon.idregistry.members.GroupChangeTest",
                Map.ofEntries(
                        entry(
                                "lost-disk-goes-before-the-new-one-follows",
                                "theLostOneStaysUntilTheNewOneFollows"),
                        entry("lost-disk-goes-first", "theNewDiskComesAndThenTheLostOneGoes"),
                        entry(
                                "one-disk-for-another-in-one-step",
                                "theNewDiskComesAndThenTheLostOneGoes"),
                        entry(
                                "replaced-without-a-majority",
                                "notWithoutAMajorityThatIsThereAndUpToDate")));
        in(
                "photon.idregistry.reshard.ReshardModelTest",
                Map.ofEntries(
                        entry(
                                "installed-without-fences",
                                "noIdIsHeldTwiceWhateverBecomesOfAReshard")));
        in(
                "photon.idregistry.server.control.ReconcilerTest",
                Map.ofEntries(
                        entry(
                                "dropped-group-is-waited-for",
                                "anEpochIsDroppedOnceEveryBoundaryHasPassedItAndNobodyWaitsForItAnyMore"),
                        entry("dropped-group-made-anew", "nothingIsMadeByAStateThatIsPerhapsOld")));
        in(
                "photon.idregistry.shard.CancelTest",
                Map.ofEntries(
                        entry(
                                "any-fence-drops-the-cancelled-tokens",
                                "aSlotsTokensGoWithTheFenceInThisShard"),
                        entry("cancelled-token-accepted", "aCancelledTokenIsNeverAccepted"),
                        entry("cancelled-tokens-evicted", "theLimitOfAnEntryIsTheDocumentedOne")));
        in(
                "photon.idregistry.shard.ShardModelTest",
                Map.ofEntries(entry("fence-lowered", "theShardAgreesWithAPlainMapWhateverComes")));
        in(
                "photon.idregistry.shard.ShardStateTest",
                Map.ofEntries(
                        entry("fence-after-the-holder", "theFirstRuleThatSpeaksWins"),
                        entry("older-map-installed", "aNewerMapSettlesWhatWasPreparedOnTheOlder"),
                        entry("token-not-compared", "tokensAreComparedInsideABatchToo"),
                        entry(
                                "token-not-compared-inside-a-batch",
                                "tokensAreComparedInsideABatchToo")));
        in(
                "photon.idregistry.table.IdTableModelTest",
                Map.ofEntries(entry("removals-while-sealing-dropped", "agreesWithAPlainMap")));
        in(
                "photon.joiner.JoinerCancelTest",
                Map.ofEntries(
                        entry(
                                "clean-with-a-cancel-under-way",
                                "aCloseWaitsForItsCancelsAndIsClean"),
                        entry(
                                "commit-sent-beside-its-cancel",
                                "takenIsSettledOnceTheTokenIsCancelled"),
                        entry("held-is-not-written", "aTokenThatHoldsItsIdAfterAllIsWritten"),
                        entry(
                                "settled-before-the-cancel-is-answered",
                                "takenIsSettledOnceTheTokenIsCancelled"),
                        entry("settled-without-a-cancel", "takenIsSettledOnceTheTokenIsCancelled"),
                        entry(
                                "turned-away-on-a-retry-is-definite",
                                "whatIsTurnedAwayAndWasAcceptedBeforeIsWritten")));
        in(
                "photon.joiner.JoinerLifeTest",
                Map.ofEntries(
                        entry(
                                "commits-below-its-promise",
                                "itCommitsNothingBelowWhatItHasPromised"),
                        entry(
                                "failed-sync-answered",
                                "anOutputThatFailsEndsTheIncarnationAndNothingOfItIsJoined"),
                        entry(
                                "fenced-goes-on",
                                "aFencedJoinerWritesNothingAndStartsOverAsANewGeneration")));
        in(
                "photon.joiner.JoinerRollTest",
                Map.ofEntries(
                        entry(
                                "tokens-remembered-without-bound",
                                "oneWhoseTokensTakeTooMuchMemoryIsFollowedThoughItPublishesNothing"),
                        entry(
                                "what-drains-promises-too-much",
                                "theOldOnePromisesNothingAboveWhatItStillHas")));
        in(
                "photon.joiner.rules.PromiseTest",
                Map.ofEntries(
                        entry(
                                "promised-above-what-is-unpublished",
                                "itIsNotAboveWhatIsNotPublished")));
        in(
                "photon.storage.journal.JournalModelTest",
                Map.ofEntries(
                        entry(
                                "take-over-without-sealing-the-journal",
                                "whatWasCommittedStandsAndTheRestStandsWhollyOrNotAtAll")));
        in(
                "photon.storage.journal.OpenJournalTest",
                Map.ofEntries(
                        entry("torn-journal-not-cut", "whatWasTornBehindTheLastWholeFrameIsCut")));
        in(
                "photon.storage.journal.RowIndexTest",
                Map.ofEntries(
                        entry("older-update-of-a-row-counts", "theIndexKnowsWhatAPlainMapKnows"),
                        entry("row-deleted-that-was-put-again", "theIndexKnowsWhatAPlainMapKnows"),
                        entry(
                                "rows-in-the-order-in-which-they-came",
                                "theIndexKnowsWhatAPlainMapKnows")));
        in(
                "photon.storage.output.IncarnationSealingTest",
                Map.ofEntries(
                        entry(
                                "manifest-name-not-synced",
                                "aPowerCutAtAnyOperationOfAJoinerLosesNothingSynced"),
                        entry(
                                "redone-in-the-hour-of-the-clock",
                                "twoSealersAtOnceAgreeWhereverTheSecondComesIn"),
                        entry(
                                "sealing-without-rename",
                                "whatAZombieDoesBetweenAnyTwoStepsOfASealingIsNeverHalfPublished"),
                        entry(
                                "torn-work-log-not-cut",
                                "aPowerCutAtAnyOperationOfAJoinerLosesNothingSynced")));
        in(
                "photon.storage.output.OutputDirectoryTest",
                Map.ofEntries(
                        entry(
                                "tombstone-omitted",
                                "anIncarnationThatNeverWroteIsSealedByItsTombstone")));
        in(
                "photon.storage.output.PublishedFormatsTest",
                Map.ofEntries(
                        entry(
                                "published-in-todays-format",
                                "aLogIsPublishedInTheFormatThatItWasBegunIn"),
                        entry(
                                "what-was-written-aside-is-rubbish",
                                "whatAnotherVersionWroteAsideIsPublishedAsItsManifestSays")));
        in(
                "photon.storage.state.StateHomeTest",
                Map.ofEntries(
                        entry(
                                "states-name-not-synced",
                                "aStateThatWasMadeIsTheOneThatIsHereAndOutlivesAPowerCut"),
                        entry(
                                "two-states-made-at-once",
                                "ofTwoProcessesThatMakeOneAtTheSameTimeOneDoes")));
        in(
                "photon.verifier.repair.RepairTest",
                Map.ofEntries(
                        entry(
                                "lost-state-is-no-obstacle",
                                "whatIsNotFoundAfterAStateWasLostIsNotWrittenOff"),
                        entry(
                                "missing-published-file-is-lost",
                                "aPublishedFileThatIsMissingStopsItsIncarnationAndNoOther"),
                        entry("rows-in-two-states", "rowsThatWentToTwoStatesAreHandedOverOnceMore"),
                        entry(
                                "unseen-state-is-no-obstacle",
                                "whileTheRegisteredStateIsNotInSightNothingIsWrittenOff")));
        in(
                "photon.storage.ledger.LedgerRetentionTest",
                Map.ofEntries(
                        entry(
                                "ledger-ended-by-its-ids-alone",
                                "aSegmentGoesOnlyWhenTheBoundaryIsAboveEachIdAndEachTimeOfWriting"),
                        entry(
                                "ledger-ended-by-its-own-clock-alone",
                                "whatIsYoungByTheBoundaryStays"),
                        entry(
                                "ledger-removed-before-it-is-summed",
                                "noCrashLosesWhatIsYoungNorCountsWhatWentTwice"),
                        entry(
                                "segment-judged-before-it-is-away",
                                "whatIsAddedWhileASegmentIsLookedAtIsNotLost"),
                        entry(
                                "writer-goes-on-in-an-ended-segment",
                                "whatAWriterAddsToASegmentThatHasGoneIsNotLost")));
        in(
                "photon.server.datacenters.RetirementRuleTest",
                Map.ofEntries(
                        entry(
                                "retired-with-repair-rows",
                                "repairRowsAreOfEventsThatNobodyElseJoins")));
        in(
                "photon.verifier.books.BooksTest",
                Map.ofEntries(
                        entry(
                                "ended-entries-count-for-nothing",
                                "whatEndedEntriesOfLedgersHadSaidCountsBySums")));
        in(
                "photon.verifier.repair.RetiredRecordsTest",
                Map.ofEntries(
                        entry(
                                "write-off-ended-before-its-incarnation",
                                "aWriteOffStaysUntilItsIncarnationIsRetired")));
        in(
                "photon.verifier.repair.RetentionTest",
                Map.ofEntries(
                        entry(
                                "retired-by-its-first-id",
                                "oneIsRetiredWhenTheBoundaryHasPassedItsLastId")));
        in(
                "photon.verifier.repair.SilenceRuleTest",
                Map.ofEntries(
                        entry("silence-over-a-gap", "aGapBetweenTwoListingsBeginsTheTimeAnew")));
        in(
                "photon.verifier.repair.WriteOffRuleTest",
                Map.ofEntries(
                        entry(
                                "a-look-that-sleeps-counts",
                                "aLookThatSleepsConcludesNothingFromItsSleep"),
                        entry("given-up-after-one-look", "theTimeIsWholeAndToldAsItPasses"),
                        entry(
                                "looks-before-the-obstacle-count",
                                "oneLookWithSomethingInTheWayStartsTheTimeAnew")));
        in(
                "photon.dispatcher.flow.StateResetTest",
                Map.ofEntries(
                        entry("skipped-without-an-entry", "eachEventThatIsSkippedIsInTheLedger"),
                        entry("reset-of-another-checkpoint", "aPlanOfAnotherCheckpointIsRefused")));
        in(
                "photon.verifier.repair.VanishingLogsTest",
                Map.ofEntries(
                        entry(
                                "file-at-its-start-not-missed",
                                "aFileThatIsNamedAndOfWhichNothingIsDoneIsMissedToo")));
        in(
                "photon.verifier.source.DividedStateTest",
                Map.ofEntries(
                        entry(
                                "reset-forgets-what-was-read",
                                "aFileThatWasResetCountsAsReadAsFarAsItWasBefore")));
        in(
                "photon.verifier.runs.IdRunsTest",
                Map.ofEntries(
                        entry(
                                "changed-run-is-believed",
                                "aBitThatTheDiskHasChangedIsAnErrorAndNoAbsence")));
    }

    private static void in(String className, Map<String, String> methods) {
        methods.forEach((bug, method) -> TESTS.put(bug, new TestName(className, method)));
    }

    static Optional<TestName> of(PlantedBug bug) {
        return Optional.ofNullable(TESTS.get(bug.name()));
    }

    /** Of bugs that are there no more, too. */
    static Map<String, TestName> all() {
        return Map.copyOf(TESTS);
    }
}
