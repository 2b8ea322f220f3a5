"""Reads problems with this program's figures from standard input and compares each figure with scikit-learn's."""

import json
import math
import re
import sys
import warnings

import numpy as np
from sklearn import metrics, set_config
from scipy import special, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

warnings.filterwarnings("ignore")
set_config(assume_finite=True, skip_parameter_validation=True)
RELATIVE = 1e-9
failed = []
compared = 0
farthest = {}


def same(where, ours, theirs, absolute=1e-12):
    global compared
    compared += 1
    if ours is None or theirs is None or (isinstance(theirs, float) and math.isnan(theirs)):
        if not (ours is None and (theirs is None or math.isnan(theirs))):
            failed.append(f"{where}: {ours} here, {theirs} there")
        return
    distance = abs(ours - theirs)
    if distance > 0:
        figure = kind(where)
        relative = distance / abs(theirs) if theirs else math.inf
        most, least = farthest.get(figure, (0.0, 0.0))
        farthest[figure] = (max(most, distance), max(least, relative if distance > absolute else 0.0))
    if distance > max(absolute, RELATIVE * abs(theirs)):
        failed.append(f"{where}: {ours} here, {theirs} there")


def kind(where):
    """The figure of a comparison's name: `ties #81 class 3 recall` is about `recall`."""
    return re.sub(r"^.*#\d+ |class \d+ |\(.*\)", "", where).strip()


def within(where, ours, theirs):
    global compared
    compared += 1
    if abs(ours["value"] - theirs) > ours["errorBound"] + 1e-9:
        failed.append(f"{where}: {ours['value']} ± {ours['errorBound']} here, {theirs} there")


def meant(answers, logits, threshold):
    """Scores and classes that a model's answers mean."""
    answers = np.array(answers, dtype=float)
    if answers.ndim == 2:
        return special.softmax(answers, axis=1), answers.argmax(axis=1)
    scores = np.stack([special.expit(-answers), special.expit(answers)] if logits else [1 - answers, answers], axis=1)
    return scores, (scores[:, 1] > (0.5 if threshold is None else threshold)).astype(int)


def check(problem):
    if "answers" in problem:
        scores, predicted = meant(problem["answers"], problem["logits"], problem["threshold"])
        problem = {**problem, "scores": scores.tolist(), "predicted": predicted.tolist()}
    name, k, offset = problem["name"], problem["classes"], problem["offset"]
    truth, predicted = np.array(problem["truth"]), np.array(problem["predicted"])
    figures = problem["figures"]
    n = len(truth)

    same(f"{name} accuracy", figures["accuracy"], metrics.accuracy_score(truth, predicted))
    interval = proportion_confint(int((truth == predicted).sum()), n, method="wilson")
    same(f"{name} interval low", figures["accuracyInterval"]["low"], max(0.0, interval[0]))
    same(f"{name} interval high", figures["accuracyInterval"]["high"], min(1.0, interval[1]))
    averages = figures["averages"]
    same(f"{name} balanced accuracy", averages["balancedAccuracy"], metrics.balanced_accuracy_score(truth, predicted))
    for average in ("macro", "weighted"):
        theirs = metrics.precision_recall_fscore_support(truth, predicted, average=average, zero_division=0)
        for figure, value in zip(("precision", "recall", "f1"), theirs):
            same(f"{name} {average} {figure}", averages[average][figure], value)
    same(f"{name} matthews", figures["agreement"]["matthews"], metrics.matthews_corrcoef(truth, predicted))
    kappa = metrics.cohen_kappa_score(truth, predicted)
    same(f"{name} kappa", figures["agreement"].get("kappa"), kappa)
    precision, recall, f1, support = metrics.precision_recall_fscore_support(
        truth, predicted, labels=range(k), zero_division=np.nan
    )
    for each in figures["classes"][:k]:
        at = each["id"]
        same(f"{name} class {at} support", each["support"], support[at])
        same(f"{name} class {at} precision", each.get("precision"), precision[at])
        same(f"{name} class {at} recall", each.get("recall"), recall[at])
        same(f"{name} class {at} f1", each.get("f1"), f1[at])
    if problem["scores"] is None:
        if figures["topK"] or "logLoss" in figures or "calibration" in figures or "ranking" in figures:
            failed.append(f"{name}: figures of probabilities that nobody gave")
        return

    scores = np.array(problem["scores"])
    columns = scores.shape[1]
    index = truth - offset
    for top in figures["topK"]:
        # scikit-learn lets the last of equal scores win and argmax the first; turned round, both do the same.
        if top["k"] >= columns:
            theirs = 1.0
        elif "answers" in problem and top["k"] == 1:
            # A threshold may prefer the class with the lower score.
            theirs = float(np.mean(truth == predicted))
        else:
            order = np.argsort(-scores, axis=1, kind="stable")[:, : top["k"]]
            theirs = float(np.mean([index[row] in order[row] for row in range(n)]))
            if columns > 2:
                turned = metrics.top_k_accuracy_score(
                    columns - 1 - index, scores[:, ::-1], k=top["k"], labels=range(columns)
                )
                same(f"{name} top-{top['k']} (scikit-learn)", top["accuracy"], turned)
        same(f"{name} top-{top['k']}", top["accuracy"], theirs)
    same(f"{name} log loss", figures["logLoss"], metrics.log_loss(index, scores, labels=range(columns)))
    hot = np.eye(columns)[index]
    same(f"{name} brier", figures["brier"], float(np.mean(np.sum((scores - hot) ** 2, axis=1))))
    if columns > 2:
        same(
            f"{name} brier (scikit-learn)",
            figures["brier"],
            metrics.brier_score_loss(index, scores, labels=range(columns), scale_by_half=False),
        )
    confidence = scores[np.arange(n), predicted - offset] if "answers" in problem else scores.max(axis=1)
    right = truth == predicted
    # Bins are open below and closed above; 0 joins the first.
    edges = np.arange(16) / 15
    bins = np.clip(np.searchsorted(edges, confidence, side="left") - 1, 0, 14)
    gaps = {b: abs(right[bins == b].mean() - confidence[bins == b].mean()) for b in set(bins)}
    expected = sum((bins == b).sum() / n * gap for b, gap in gaps.items())
    same(f"{name} expected calibration error", figures["calibration"]["expectedError"], float(expected))
    mean = figures["meanConfidence"]
    same(f"{name} confidence right", mean.get("right"), float(confidence[right].mean()) if right.any() else None)
    same(f"{name} confidence wrong", mean.get("wrong"), float(confidence[~right].mean()) if (~right).any() else None)
    for each in figures.get("ranking", {}).get("classes", []):
        own = (truth == each["id"]).astype(int)
        column = scores[:, each["id"] - offset]
        for figure, ours, theirs in (
            ("ROC AUC", each["rocAuc"], metrics.roc_auc_score(own, column)),
            ("AP", each["averagePrecision"], metrics.average_precision_score(own, column)),
        ):
            within(f"{name} class {each['id']} {figure}", ours, theirs)
            if ours["errorBound"] == 0:
                same(f"{name} class {each['id']} {figure}", ours["value"], theirs)


def check_pairs(problem):
    """McNemar's test against statsmodels, intervals against SciPy and a second way to write Newcombe's method 10."""
    cells = problem["pairs"]
    a, b, c, d = cells["bothRight"], cells["lost"], cells["gained"], cells["bothWrong"]
    n = a + b + c + d
    name = f"pairs #{problems}"
    test = problem["test"]
    theirs = mcnemar([[a, b], [c, d]], exact=test["exact"], correction=True) if b + c else None
    same(f"{name} McNemar p", test["pValue"], theirs.pvalue if theirs else 1.0, absolute=1e-300)
    if b + c and test["exact"]:
        p = stats.binomtest(min(b, c), b + c, 0.5).pvalue
        same(f"{name} McNemar p (SciPy)", test["pValue"], p, absolute=1e-300)
    if n == 0:
        if problem["change"] is not None or problem["wilson"] is not None:
            failed.append(f"{name}: figures without records")
        return
    scipy_interval = stats.binomtest(a, n).proportion_ci(method="wilson")
    same(f"{name} Wilson low", problem["wilson"]["low"], scipy_interval.low)
    same(f"{name} Wilson high", problem["wilson"]["high"], scipy_interval.high)
    before, now = (a + b) / n, (a + c) / n
    low1, high1 = proportion_confint(a + b, n, method="wilson")
    low2, high2 = proportion_confint(a + c, n, method="wilson")
    margins = [float(a + b), float(c + d), float(a + c), float(b + d)]
    cross = float(a) * d - float(b) * c
    phi = 0.0 if 0 in margins else (max(cross - n / 2, 0.0) if cross > 0 else cross) / math.sqrt(math.prod(margins))
    below = np.array([now - low2, -(high1 - before)])
    above = np.array([high2 - now, -(before - low1)])
    correlation = np.array([[1, phi], [phi, 1]])
    change = problem["change"]
    same(f"{name} change", change["change"], now - before, absolute=1e-15 * 10)
    same(f"{name} change low", change["interval"]["low"], now - before - math.sqrt(max(0, below @ correlation @ below)))
    same(f"{name} change high", change["interval"]["high"], now - before + math.sqrt(max(0, above @ correlation @ above)))


problems = 0
for line in sys.stdin:
    problems += 1
    problem = json.loads(line)
    (check_pairs if "pairs" in problem else check)(problem)
for line in failed[:40]:
    print(line)
print(f"{problems} problems, {compared} figures; largest distances by figure, absolute and relative above 1e-12:")
for figure, (absolute, relative) in sorted(farthest.items(), key=lambda item: -item[1][0])[:12]:
    print(f"  {figure:28} {absolute:.1e}  {relative:.1e}")
print(f"Tests: {compared - len(failed)} passed, {len(failed)} failed")
sys.exit(1 if failed else 0)
