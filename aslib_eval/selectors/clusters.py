"""G-means: clusters are halved until each looks normal along the line of its halves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
_CRITICAL = 1.8692  # of A*² at significance 0.0001, as in the paper


class GMeans:
    """Clusters of points, as many as the data ask for; fit and predict as scikit-learn.

    A cluster is halved if both halves hold at least ``smallest`` points and the
    points, projected on the line between the halves' centres, are not normal by the
    test of Anderson and Darling.
    Source: Hamerly, Elkan 2003, Learning the k in k-means, algorithm 1; ISAC
    (Kadioglu et al. 2010) uses it.
    """

    def __init__(self, *, smallest: int = 10, random_state: int = 0) -> None:
        self.smallest = smallest
        self.random_state = random_state
        self.centres: Numbers = np.empty((0, 0))

    def fit(self, points: Numbers) -> GMeans:
        """Find the centres; points: (n, n_features)."""
        waiting, centres = [points], []
        while waiting:
            cluster = waiting.pop()
            halves = self._halves(cluster)
            if halves is None:
                centres.append(cluster.mean(axis=0))
            else:
                waiting += halves
        self.centres = np.array(centres)
        return self

    def predict(self, points: Numbers) -> NDArray[np.int64]:
        """The cluster of the nearest centre; the first of equals."""
        distance = ((points[:, None, :] - self.centres) ** 2).sum(axis=2)
        nearest: NDArray[np.int64] = distance.argmin(axis=1)
        return nearest

    def _halves(self, cluster: Numbers) -> list[Numbers] | None:
        """Two parts of the cluster, if it should be parted."""
        from sklearn.cluster import KMeans

        if len(cluster) < 2 * self.smallest or (cluster == cluster[0]).all():
            return None
        model = KMeans(2, n_init=5, random_state=self.random_state).fit(cluster)
        first = model.labels_ == 0
        line = model.cluster_centers_[0] - model.cluster_centers_[1]
        small = min(first.sum(), (~first).sum()) < self.smallest
        if small or anderson_darling(cluster @ line) <= _CRITICAL:
            return None
        return [cluster[first], cluster[~first]]


def anderson_darling(values: Numbers) -> float:
    """A*² of the values against the normal of their mean and deviation; 0 if constant.

    Source: Stephens 1974, case 3, with the correction for small samples.
    """
    from scipy.special import log_ndtr

    spread = values.std(ddof=1)
    if spread == 0:
        return 0.0
    ordered = np.sort((values - values.mean()) / spread)
    n = len(ordered)
    odd = 2 * np.arange(1, n + 1) - 1
    raised = -n - (odd * (log_ndtr(ordered) + log_ndtr(-ordered[::-1]))).mean()
    return float(raised * (1 + 4 / n - 25 / n**2))
