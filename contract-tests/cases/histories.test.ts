import { anOwnWorld, check, readsItself } from '../kit/index.ts';
import { historyOf } from '../model/arbitrary/themes.ts';
import { playHistory } from '../model/play.ts';
import { HISTORIES } from './shared/histories.ts';

for (const { id, theme, players, steps, seed } of HISTORIES)
  check(
    id,
    {
      requirement:
        'R-CONV-27 R-EVT-63 R-EVT-65 R-EVT-66 R-EVT-67 R-EVT-68 R-EVT-73 R-PRF-11 R-PRF-14 R-PRF-15 R-PRF-16 R-PRF-17 R-PRF-18 R-PRF-19 R-POR-06 R-SUB-45 R-SUB-47 R-SUB-48 R-SUB-50 R-TOP-19 R-WAL-06 R-WAL-45 R-WAL-49 R-WAL-52 R-WAL-53 R-WAL-54',
      effect: 'E4',
      assumes: 'A-605 A-302 A-305 A-512 A-607 A-608 A-806 A-901 A-902 A-903 A-904 A-1101 A-1106',
      needs: 'clock.movable',
    },
    `random history of ${theme.about} over months, ${players.words} → every fee, balance, grant, transaction, revenue and subscription, midway and at the end, as a model written from the documents alone says`,
    async (t) => {
      await playHistory(await players.callIn(anOwnWorld(t)), historyOf(theme, steps, seed));
      readsItself();
    },
  );
