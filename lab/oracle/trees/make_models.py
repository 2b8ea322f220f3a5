"""Draws random models of a library, and its answers to rows of their table and to hard ones.

    python make_models.py FOLDER LIBRARY COUNT SEED

Each model is a file with three beside it: `.facts` (JSON), `.rows` and `.answers` (float64, a row after the other).
"""

import json
import sys
import warnings

import catboost
import lightgbm
import numpy as np
import xgboost

FOLDER, LIBRARY, COUNT, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
ROUNDS = [1, 10, 100, 300]
warnings.filterwarnings("ignore")


class Draw:
    """A table with labels, rows to ask for, and choices."""

    def __init__(self, number):
        self.random = np.random.default_rng([SEED, number])
        r = self.random
        self.columns = int(r.integers(2, 30))
        self.rows = int(self.one(300, 1200))
        self.x = r.normal(size=(self.rows, self.columns)) * 10.0 ** r.integers(-2, 3, self.columns)
        if self.happens(0.3):
            self.x[r.random(self.x.shape) < 0.4] = 0
        self.categories = {}
        if LIBRARY != "catboost" and self.happens(0.4):
            for column in r.choice(self.columns, min(self.columns, int(r.integers(1, 4))), replace=False):
                self.categories[int(column)] = int(self.one(3, 12, 60, 400))
        for column, count in self.categories.items():
            self.x[:, column] = r.integers(0, count, self.rows)
        self.x[r.random(self.x.shape) < self.one(0, 0.1, 0.5)] = np.nan
        z = np.nan_to_num(self.x) / (1e-9 + np.nanstd(self.x, axis=0))
        sums = z @ r.normal(size=self.columns) + 0.5 * np.sin(3 * z[:, 0]) * z[:, -1] + 0.3 * r.normal(size=self.rows)
        self.sums = sums + sum(0.4 * (np.nan_to_num(self.x[:, column]) * 7919 % 5) for column in self.categories)
        self.half = self.rows // 2

    def one(self, *items):
        return items[self.random.integers(len(items))]

    def happens(self, share):
        return self.random.random() < share

    def labels(self, kind, classes=2):
        s = (self.sums - self.sums.mean()) / (1e-9 + self.sums.std())
        if kind == "class":
            return np.searchsorted(np.quantile(s, np.linspace(0, 1, classes + 1)[1:-1]), s)
        if kind == "count":
            return self.random.poisson(np.exp(np.clip(s, -2, 2))).astype(float)
        return {"positive": np.exp(s), "share": 1 / (1 + np.exp(-s)), "number": s * 10.0 ** self.random.integers(-1, 4)}[kind]

    def probes(self, has_negative_codes=True):
        """Rows of the table and their neighbors, then missing, zero, huge and tiny numbers, and codes of no known category."""
        n = self.columns
        hard = [np.full(n, value) for value in (np.nan, 0, -0.0, 1e30, -1e30, 1e-36, -1e-36)]
        p = np.concatenate([self.x[:200], self.x[:60] * (1 + 1e-7), np.array(hard)])
        for column, count in self.categories.items():
            odd = [np.nan, 0.5, 1.7, count, count + 40] + ([-1, -0.5, 1e9] if has_negative_codes else [])
            known = self.random.random(len(p)) < 0.75
            p[:, column] = np.where(known, self.random.integers(0, count, len(p)), self.random.choice(odd, len(p)))
        return p


def write(file, rows, answers, refused=False, **facts):
    answers = np.asarray(answers, dtype=np.float64).reshape(len(rows), -1)
    np.ascontiguousarray(rows, dtype=np.float64).tofile(f"{FOLDER}/{file}.rows")
    answers.tofile(f"{FOLDER}/{file}.answers")
    shape = dict(rows=len(rows), columns=rows.shape[1], outputs=answers.shape[1])
    with open(f"{FOLDER}/{file}.facts", "w") as out:
        json.dump(dict(file=file, refused=refused, **shape, drawn={k: str(v) for k, v in facts.items()}), out)


XGBOOST = {
    "class": ["binary:logistic", "binary:logistic", "multi:softprob", "multi:softmax", "binary:hinge", "binary:logitraw"],
    "number": ["reg:squarederror", "reg:absoluteerror", "reg:pseudohubererror", "reg:quantileerror"],
    "positive": ["reg:gamma", "reg:tweedie", "reg:squaredlogerror"],
    "count": ["count:poisson"],
    "share": ["reg:logistic"],
}


def draw_xgboost(d, number):
    kind = d.one("class", "class", "class", "number", "number", "positive", "count", "share")
    objective = d.one(*XGBOOST[kind])
    classes = int(d.random.integers(3, 9)) if objective.startswith("multi") else 2
    y = d.labels(kind, classes)
    params = dict(objective=objective, booster=d.one(*["gbtree"] * 8, *["dart"] * 2, "gblinear"), max_depth=d.one(1, 3, 6, 12), eta=d.one(0.05, 0.3, 1.0), seed=number, nthread=1, verbosity=0)
    if params["booster"] == "gblinear":
        d.categories = {}
    else:
        methods = ["hist", "approx"] if d.categories else ["hist", "exact", "approx"]
        params.update(subsample=0.8, tree_method=d.one(*methods), gamma=d.one(0, 0, 1), num_parallel_tree=d.one(1, 1, 1, 4))
        if d.categories:
            params["max_cat_to_onehot"] = d.one(1, 5, 1000)
        if params["tree_method"] == "hist" and d.happens(0.2):
            params.update(grow_policy="lossguide", max_leaves=40)
    if objective == "reg:quantileerror":
        params["quantile_alpha"] = 0.7
    if params["booster"] == "dart":
        params.update(rate_drop=0.3, one_drop=1)
    if objective.startswith("multi"):
        params["num_class"] = classes
        if params.get("tree_method") == "hist" and params["booster"] == "gbtree" and d.happens(0.1):
            params.update(multi_strategy="multi_output_tree", num_parallel_tree=1)
    if d.happens(0.3):
        params["base_score"] = d.one(0.2, 0.5, 0.9)
    types = ["c" if column in d.categories else "float" for column in range(d.columns)]

    def matrix(rows, labels=None):
        return xgboost.DMatrix(rows, labels, feature_types=types, enable_categorical=True)

    rounds = d.one(*ROUNDS)
    early = rounds >= 100 and params["booster"] == "gbtree" and d.happens(0.4)
    stop = dict(evals=[(matrix(d.x[d.half :], y[d.half :]), "valid")], early_stopping_rounds=5) if early else {}
    model = xgboost.train(params, matrix(d.x[: d.half], y[: d.half]), rounds, verbose_eval=False, **stop)
    file = f"xgboost-{number}.{d.one('json', 'ubj')}"
    model.save_model(f"{FOLDER}/{file}")
    rows = d.probes(has_negative_codes=False)
    # XGBoost takes no code from 2^24 on, and the codes of the hard rows are such.
    for column in d.categories:
        rows[:, column] = np.where(np.abs(rows[:, column]) >= 2**24, np.nan, np.abs(rows[:, column]))
    if objective == "multi:softmax":
        model.set_param({"objective": "multi:softprob"})
    kept = (0, model.best_iteration + 1) if early else (0, 0)
    answers = model.predict(matrix(rows), iteration_range=kept, strict_shape=True)
    refused = objective == "binary:logitraw" or params["booster"] == "gblinear" or "multi_strategy" in params
    write(file, rows, answers, refused, **params, rounds=rounds, early=early, categories=d.categories)


LIGHTGBM = {
    "class": ["binary", "binary", "multiclass", "multiclass", "multiclassova"],
    "number": ["regression", "regression", "regression_l1", "huber", "fair", "quantile"],
    "positive": ["gamma", "tweedie", "mape"],
    "count": ["poisson", "lambdarank"],
    "share": ["cross_entropy", "cross_entropy_lambda"],
}


def draw_lightgbm(d, number):
    kind = d.one("class", "class", "class", "number", "number", "positive", "count", "share")
    objective = d.one(*LIGHTGBM[kind])
    classes = int(d.random.integers(3, 8)) if objective.startswith("multi") else 2
    y = np.clip(d.labels(kind, classes), None, 20) if objective == "lambdarank" else d.labels(kind, classes)
    params = dict(objective=objective, boosting=d.one("gbdt", "gbdt", "gbdt", "dart", "rf", "goss"), num_leaves=d.one(2, 7, 31, 127), min_data_in_leaf=d.one(1, 5, 20), learning_rate=d.one(0.05, 0.1, 0.5), zero_as_missing=d.happens(0.25), use_missing=d.happens(0.85), min_data_per_group=5, max_cat_to_onehot=d.one(1, 4, 500), seed=number, num_threads=1, verbose=-1, deterministic=True)
    if params["boosting"] == "rf":
        params.update(bagging_freq=1, bagging_fraction=0.6)
    if objective.startswith("multi"):
        params["num_class"] = classes
    if objective in ("binary", "multiclassova"):
        params["sigmoid"] = d.one(0.5, 1.0, 2.0)
    if objective == "regression" and d.happens(0.3):
        params["reg_sqrt"] = True
    if not d.categories and params["boosting"] == "gbdt" and kind != "share" and d.happens(0.1):
        params.update(linear_tree=True, zero_as_missing=False)
    group = dict(group=[d.half]) if objective == "lambdarank" else {}
    quiet = dict(params=dict(verbose=-1))
    train = lightgbm.Dataset(d.x[: d.half], y[: d.half], categorical_feature=list(d.categories) or "auto", **quiet, **group)
    rounds = d.one(*ROUNDS)
    early = rounds >= 100 and params["boosting"] == "gbdt" and not group and d.happens(0.4)
    held_out = lightgbm.Dataset(d.x[d.half :], y[d.half :], reference=train, **quiet)
    stop = dict(valid_sets=[held_out], callbacks=[lightgbm.early_stopping(5, verbose=False)]) if early else {}
    model = lightgbm.train(params, train, rounds, **stop)
    file = f"lightgbm-{number}.txt"
    model.save_model(f"{FOLDER}/{file}")
    rows = d.probes()
    refused = "linear_tree" in params and "is_linear=1" in model.model_to_string()
    write(file, rows, model.predict(rows), refused, **params, rounds=rounds, early=early, categories=d.categories)


CATBOOST = {
    "class": ["Logloss", "Logloss", "MultiClass", "MultiClass", "MultiClassOneVsAll"],
    "number": ["RMSE", "RMSE", "MAE", "Quantile", "Huber:delta=1", "Expectile:alpha=0.3", "LogCosh", "RMSEWithUncertainty"],
    "positive": ["MAPE", "Tweedie:variance_power=1.5"],
    "count": ["Poisson"],
    "share": ["CrossEntropy"],
}


def draw_catboost(d, number):
    kind = d.one("class", "class", "class", "number", "number", "positive", "count", "share")
    loss = d.one(*CATBOOST[kind])
    y = d.labels(kind, int(d.random.integers(3, 8)) if loss.startswith("Multi") else 2)
    if loss in ("MultiClass", "Logloss") and d.happens(0.5):
        y = np.array([f"class {chr(97 + value)}" for value in y])
    depth = d.one(1, 4, 6, 9)
    params = dict(loss_function=loss, depth=depth, iterations=d.one(1, 10) if depth == 9 else d.one(*ROUNDS), learning_rate=d.one(0.05, 0.3), grow_policy=d.one("SymmetricTree", "SymmetricTree", "Depthwise", "Lossguide"), nan_mode=d.one("Min", "Max"), random_seed=number, thread_count=1, verbose=0, allow_writing_files=False)
    if d.happens(0.2):
        params["boost_from_average"] = False
    texts = [0] if d.happens(0.08) else []

    def pool(rows, labels=None):
        cells = rows.astype(object) if texts else rows
        for column in texts:
            cells[:, column] = [f"k{value > 0}" for value in rows[:, column]]
        return catboost.Pool(cells, labels, cat_features=texts)

    early = params["iterations"] >= 100 and d.happens(0.4)
    stop = dict(eval_set=pool(d.x[d.half :], y[d.half :]), early_stopping_rounds=5) if early else {}
    model = catboost.CatBoost(params)
    model.fit(pool(d.x[: d.half], y[: d.half]), **stop)
    form = d.one("cbm", "json")
    file = f"catboost-{number}.{form}"
    model.save_model(f"{FOLDER}/{file}", format=form)
    rows = d.probes()
    shown = "Probability" if kind in ("class", "share") else "Exponent" if loss.startswith(("Poisson", "Tweedie")) else "RawFormulaVal"
    answers = model.predict(pool(rows), prediction_type=shown, thread_count=1)
    # Columns that no split uses are left out of the file, categories among them.
    refused = loss == "RMSEWithUncertainty" or bool(texts)
    write(file, rows, answers, refused, **params, early=early, texts=texts)


DRAWERS = {"xgboost": draw_xgboost, "lightgbm": draw_lightgbm, "catboost": draw_catboost}
REFUSALS = (xgboost.core.XGBoostError, lightgbm.basic.LightGBMError, catboost.CatBoostError)
for number in range(COUNT):
    try:
        DRAWERS[LIBRARY](Draw(number), number)
    except REFUSALS as error:
        # The library itself refuses the draw, such as labels of one class.
        print(f"{LIBRARY}-{number} is not drawn: {str(error).splitlines()[0][:150]}")
